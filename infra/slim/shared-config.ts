/** The files below ~/.aws: a function has none, and looking for them costs reads in its first call. */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })

export const CONFIG_PREFIX_SEPARATOR = '.'
