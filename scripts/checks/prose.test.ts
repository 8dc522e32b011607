import { expect, test } from 'vitest'
import { findProseIssues } from './prose.ts'

const file = (path: string, source: string) => ({ path, source })

test.each([
  ['const a = "Ask whoever runs this server."', 'someone, everyone, no one, or a noun'],
  ['const a = `The link of ${name} works no more.`', 'no longer'],
  ['const a = <p>What lies in the bin stays out.</p>', 'begin with a noun'],
  ['const a = <p title="This file is no zip.">x</p>', "isn't a"],
  ['const a = `Saved ${x} by itself.`', 'automatically'],
])('%s is reported', (source, remedy) => {
  expect(findProseIssues([file('web/a.tsx', `\n${source}`)])).toMatchObject([{ location: 'web/a.tsx:2', remedy }])
})

test('comments, tests, sample diaries and plain texts are not reported', () => {
  const dialectText = 'const a = "Ask whoever runs this server."'
  expect(
    findProseIssues([
      file('web/a.ts', '// whoever reads this\nconst a = "Ask your administrator."'),
      file('web/a.test.ts', dialectText),
      file('web/keepers/demo/a.ts', dialectText),
      file('bench/a.ts', dialectText),
    ]),
  ).toEqual([])
})
