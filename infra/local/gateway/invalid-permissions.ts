/** Thrown for a function that a service may not call, or a role that it may not assume for that. */
export class InvalidPermissions extends Error {
  override name = 'InvalidPermissions'
}
