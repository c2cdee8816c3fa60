import { codeOf, Stop } from '../stop.ts'

interface Port {
  port: number
  /** The name of its setting. */
  setting: string
  address: string
}

/** What to fix if a port cannot be listened at; any other error is returned unchanged. */
export const portFault = (error: unknown, { port, setting, address }: Port): unknown => {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') return new Stop(`Port ${port} is taken: free it, or set "${setting}".`)
  if (code === 'EACCES')
    return new Stop(`Port ${port} needs rights that this user lacks: set "${setting}" to 1024 or above.`)
  if (code !== 'EADDRNOTAVAIL') return error
  return new Stop(`This machine does not have the address ${address}: set "listenAddress".`)
}
