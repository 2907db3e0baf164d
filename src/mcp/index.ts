// The store over the Model Context Protocol: what the command line uses of this folder.
export { askTool } from "./ask-tool.js";
export { type HttpServer, serveHttp } from "./http.js";
export { serveOverStdio } from "./stdio.js";
export { Service, type Tool } from "./tool.js";
export { type Writing, writeTool } from "./write-tool.js";
