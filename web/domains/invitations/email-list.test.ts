import { expect, it } from 'vitest'
import { emailListProblem, emailsIn, problemsByEmail, withEmails } from './email-list.ts'

it.each([
  ['one@example.com', ['one@example.com']],
  ['one@example.com, two@example.com;three@example.com\nfour@example.com five@example.com', 'one two three four five'],
  ['Ada Lindqvist <one@example.com>, <two@example.com>', 'one two'],
  ['"Haugen, Ben" <one@example.com>\n\n  two@example.com\t', ['"Haugen', 'one@example.com', 'two@example.com']],
  ['  , ;\n', []],
])('finds the addresses in %j', (text, found) => {
  const expected = typeof found === 'string' ? found.split(' ').map((name) => `${name}@example.com`) : found
  expect(emailsIn(text)).toEqual(expected)
})

it('keeps an address once, whatever its case, as it was typed first', () => {
  expect(withEmails(['Ada@example.com'], ['ada@EXAMPLE.com', 'ben@example.com', 'BEN@example.com'])).toEqual([
    'Ada@example.com',
    'ben@example.com',
  ])
})

it('says what is no address, and nothing of what is one', () => {
  expect(emailListProblem('ada@willowbrook.example')).toBeUndefined()
  expect(emailListProblem('Ada')).toBe('This is no e-mail address.')
  expect(emailListProblem('ada@')).toBe('This is no e-mail address.')
})

it('puts what the server said beside the address it was said of', () => {
  const fields = { 'emails.1': 'This person is a member already.', role: 'Choose.', 'emails.9': 'Gone.' }
  expect(problemsByEmail(fields, ['a@example.com', 'b@example.com'])).toEqual({
    'b@example.com': 'This person is a member already.',
  })
})
