import { expect, it } from 'vitest'
import { mapProblemsByEmail, mergeEmails, parseEmails, validateEmail } from './email-list.ts'

it.each([
  ['one@example.com', ['one@example.com']],
  ['one@example.com, two@example.com;three@example.com\nfour@example.com five@example.com', 'one two three four five'],
  ['Ada Lindqvist <one@example.com>, <two@example.com>', 'one two'],
  ['"Haugen, Ben" <one@example.com>\n\n  two@example.com\t', ['"Haugen', 'one@example.com', 'two@example.com']],
  ['  , ;\n', []],
])('the addresses in %j are found', (text, emails) => {
  const expected = typeof emails === 'string' ? emails.split(' ').map((name) => `${name}@example.com`) : emails
  expect(parseEmails(text)).toEqual(expected)
})

it('the first spelling of an address is kept, ignoring case', () => {
  expect(mergeEmails(['Ada@example.com'], ['ada@EXAMPLE.com', 'ben@example.com', 'BEN@example.com'])).toEqual([
    'Ada@example.com',
    'ben@example.com',
  ])
})

it('only invalid addresses are reported', () => {
  expect(validateEmail('ada@willowbrook.example')).toBeUndefined()
  expect(validateEmail('Ada')).toBe('This isn’t an email address.')
  expect(validateEmail('ada@')).toBe('This isn’t an email address.')
})

it('server problems are assigned to their addresses', () => {
  const fields = { 'emails.1': 'This person is already a member.', role: 'Choose.', 'emails.9': 'Gone.' }
  expect(mapProblemsByEmail(fields, ['a@example.com', 'b@example.com'])).toEqual({
    'b@example.com': 'This person is already a member.',
  })
})
