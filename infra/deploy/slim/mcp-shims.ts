import process from 'node:process'

/** Only a server that asks over a stream validates answers by JSON Schema; ours has none (shared/mcp/server.ts). */
class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('this bundle has no validator of JSON Schema')
  }
}

export { DefaultJsonSchemaValidator, process }
