/** The primary key of a row. */
export interface Key {
  PK: string
  SK: string
}

export type Item = Record<string, unknown>

export const keyOf = (item: Item): Key => ({ PK: String(item['PK']), SK: String(item['SK']) })
