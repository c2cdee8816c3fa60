// A schema ends before the next top-level statement.
const schema = /^(const \w+Schema = )([\s\S]*?);\n(?=\n|const |export |function |\/[*/])/gm

/** Each schema of the MCP library becomes a call without side effects, which a bundler drops if nothing uses it. */
export const unlessUsed = (module: string): string =>
  module.replace(schema, (_, begin, value) => `${begin}/* @__PURE__ */ (() => ${value})();\n`)

const registrations = [
  'for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports[key]);',
  'for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);',
]

/**
 * The server of the MCP library without its table of all types of the protocol, which only a program that validates by
 * the name of a type reads. Throws if the module has another form.
 */
export const dropSpecTypes = (module: string): string =>
  registrations.reduce((text, line) => {
    if (!text.includes(line)) throw new Error('The types in the MCP library have another form than expected.')
    return text.replace(line, '')
  }, module)
