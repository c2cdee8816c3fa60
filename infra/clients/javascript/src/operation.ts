/** An operation of the API as the client needs it. */
export interface Operation {
  method: string
  path: string
  /** Needs no token. */
  anyone: boolean
  /** Acts in a workspace, which a header names. */
  workspace: boolean
  /** What follows the IDs of the path: a JSON body, a query, or nothing. */
  takes: 'body' | 'query' | undefined
  /** Takes a query in addition to its body; the options of the call have the query. */
  queryInOptions: boolean
  /** Takes an Idempotency-Key. */
  creates: boolean
  /** May be sent twice: the second request changes nothing more. */
  repeatable: boolean
  /** Returns a page of a list. */
  lists: boolean
  /** Responds without the envelope. */
  raw: boolean
}

/**
 * Reads a line of the table of operations, for example `POST /api/drafts wbk`: method, path, and a letter for each
 * property.
 */
export const operationOf = (line: string): Operation => {
  const [method = '', path = '', letters = ''] = line.split(' ')
  const has = (letter: string) => letters.includes(letter)
  return {
    method,
    path,
    anyone: has('a'),
    workspace: has('w'),
    takes: has('b') ? 'body' : has('q') ? 'query' : undefined,
    queryInOptions: has('b') && has('q'),
    creates: has('k'),
    repeatable: has('s') || method !== 'POST',
    lists: has('p'),
    raw: has('r'),
  }
}
