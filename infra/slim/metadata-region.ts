/** The metadata service of a server: Lambda has none, it names the region in the environment. */
export const getInstanceMetadataRegion = async () => undefined
