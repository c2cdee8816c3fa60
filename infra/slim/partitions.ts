interface Partition {
  regionRegex: string
  regions: Readonly<Record<string, unknown>>
}

/**
 * The partitions of AWS without the regions that their `regionRegex` recognizes anyway; a region has nothing else but a
 * description that no client reads. Throws if the module of the SDK has another form.
 */
export const dropKnownRegions = (module: string): string => {
  const literal = /^export const partitionsInfo = (\{.*\});?\s*$/s.exec(module)?.[1]
  if (literal === undefined) throw new Error('The list of partitions in the AWS SDK has another form than expected.')
  const info: { partitions: Partition[] } = JSON.parse(literal)
  const partitions = info.partitions.map((partition) => {
    const unknown = Object.keys(partition.regions).filter((region) => !new RegExp(partition.regionRegex).test(region))
    return { ...partition, regions: Object.fromEntries(unknown.map((region) => [region, {}])) }
  })
  return `export const partitionsInfo = ${JSON.stringify({ ...info, partitions })};`
}
