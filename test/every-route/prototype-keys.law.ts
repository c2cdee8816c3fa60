import { expect, test } from 'vitest'
import { dangerous, testInheritedNames } from '../support/world/inherited-names.ts'

// All of them: prototype-keys.long.ts.
const kit = testInheritedNames(['__proto__'])

test.each([
  'platformMedia',
  'platformContent',
  'metadata',
])('rejects a field "__proto__" or "constructor" in %s by name instead of dropping it', async (field) => {
  const { url, accounts, pat, workspaceId } = kit()
  for (const name of dangerous) {
    const body = { socialAccountIds: [accounts.bluesky], content: 'Hello', [field]: 'inner' }
    const text = JSON.stringify(body).replace('"inner"', `{"${name}":{}}`)
    const answer = await fetch(`${url}/api/posts/publish-now`, {
      method: 'POST',
      body: text,
      headers: {
        Authorization: `Bearer ${pat}`,
        'X-Workspace-Id': workspaceId,
        'Content-Type': 'application/json',
      },
    })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        requestId: answer.headers.get('X-Request-Id'),
        docUrl: `${url}/api/docs/errors/invalid_input`,
        success: false,
        error: `"${field}.${name}" is a reserved name. Rename or remove the field.`,
        code: 'invalid_input',
        field: `${field}.${name}`,
      },
    ])
  }
})
