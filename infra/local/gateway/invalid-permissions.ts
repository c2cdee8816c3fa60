/** Thrown for a function whose policy does not let API Gateway call it. */
export class InvalidPermissions extends Error {
  override name = 'InvalidPermissions'
}
