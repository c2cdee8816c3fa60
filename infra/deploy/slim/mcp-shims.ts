import process from 'node:process'

/** Only a server that sends requests over a stream validates responses by JSON Schema; ours does not (shared/mcp/server.ts). */
class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('this bundle has no validator of JSON Schema')
  }
}

export { DefaultJsonSchemaValidator, process }
