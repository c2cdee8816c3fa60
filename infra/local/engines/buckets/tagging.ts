import { answerXml } from './answers.ts'
import type { Answer, Call } from './call.ts'
import { checkTags } from './description.ts'
import { readDocument } from './read-document.ts'
import { findObject } from './read-object.ts'
import type { Tag } from './records.ts'
import { childrenOf, textOf } from './xml-read.ts'
import { group, leaf } from './xml-write.ts'

function saveTags({ store, bucket, key }: Call, tags: Tag[]): void {
  const object = findObject(store, bucket, key)
  store.saveObject(store.bucket(bucket), { ...object, tags })
}

export function getTagging({ store, bucket, key }: Call): Answer {
  const { tags } = findObject(store, bucket, key)
  const entries = tags.map(([name, value]) => group('Tag', leaf('Key', name), leaf('Value', value)))
  return answerXml('Tagging', group('TagSet', ...entries))
}

export async function putTagging(call: Call): Promise<Answer> {
  const document = await readDocument(call, 'Tagging')
  const entries = childrenOf(document, 'TagSet').flatMap((set) => childrenOf(set, 'Tag'))
  saveTags(call, checkTags(entries.map((tag): Tag => [textOf(tag, 'Key') ?? '', textOf(tag, 'Value') ?? ''])))
  return { status: 200 }
}

export function deleteTagging(call: Call): Answer {
  saveTags(call, [])
  return { status: 204 }
}
