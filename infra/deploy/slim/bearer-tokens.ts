const unused = () => async (): Promise<never> => {
  throw new Error('bearer tokens of AWS are left out of the bundles')
}

/** API keys of Bedrock and tokens of SSO: a function signs with the credentials of its role. */
export { unused as fromEnvSigningName, unused as nodeProvider }
