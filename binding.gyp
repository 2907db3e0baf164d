{
  "targets": [
    {
      "target_name": "palimpsest",
      "type": "none",
      "actions": [
        {
          "action_name": "cmake-js",
          "inputs": ["CMakeLists.txt"],
          "outputs": ["build/Release/palimpsest.node"],
          "action": ["node", "tools/build-native.mjs"]
        }
      ]
    }
  ]
}
