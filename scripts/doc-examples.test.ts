import { describe, expect, test } from 'vitest'
import { checkExample, listExamples, readExamples } from './doc-examples.ts'

const examples = listExamples()

test('the documents have examples of each kind', () => {
  const languages = new Set(examples.map(({ language }) => language))
  expect([...languages]).toEqual(expect.arrayContaining(['sh', 'env', 'json', 'nginx', 'caddyfile', 'systemd', 'yaml']))
  expect(examples.length).toBeGreaterThan(60)
})

// `npm run gates guide` runs them where every program is installed.
test.each(examples)('$location is understood by its program ($language)', (example) => {
  expect(checkExample(example).problem).toBeUndefined()
})

describe('an example that doesn’t run is noticed:', () => {
  test.each([
    ['sh', 'if true; then echo\n'],
    ['env', 'KEEPER_DATADIR=/srv/keeper\n'],
    ['env', 'KEEPER_REGISTRATION=maybe\n'],
    ['json', '{"a": }'],
    ['yaml', 'a: [\n'],
    ['nginx', 'server {\n    listen 443 ssl;\n    http2 maybe on;\n}\n'],
    ['caddyfile', 'keeper.example.org {\n\treverse_prox 127.0.0.1:3000\n}\n'],
    ['systemd', '[Service]\nExecStart=/usr/bin/node server.js\nRestart=sometimes\n'],
    ['', 'npm start\n'],
  ])('%s %j', (language, text) => {
    const { missingProgram, problem } = checkExample({ location: 'docs/x.md:1', language, text })
    if (!missingProgram) expect(problem).toBeTruthy()
  })
})

test('commands and settings within the text are examples too', () => {
  const source = 'Set `PORT=80` and run\n`npm run backup`.\n\n```sh\nls `pwd`\n```\n\nThen `data/` has it.\n'
  expect(readExamples('a.md', source)).toEqual([
    { location: 'a.md:4', language: 'sh', text: 'ls `pwd`\n' },
    { location: 'a.md:1', language: 'setting', text: 'PORT=80' },
    { location: 'a.md:2', language: 'sh', text: 'npm run backup' },
  ])
})
