/** The names of all arguments of an operator, which may have several shapes. */
export function argumentNames(schema: object): string[] {
  const { properties, anyOf = [] } = schema as { properties?: object; anyOf?: object[] };
  return properties === undefined ? anyOf.flatMap(argumentNames) : Object.keys(properties);
}
