import { expect, test } from 'vitest'
import { describeLinkTarget } from './markdown-components.tsx'

const journal = 'I+told+nobody+about+the+letter+that+came+in+spring'

test.each([
  ['its host', 'https://evil.example/a', 'Your bank', 'evil.example'],
  ['its port', 'https://evil.example:8443/', 'Your bank', 'evil.example:8443'],
  [
    'its real host when the text shows another host',
    'https://evil.example',
    'https://bank.com',
    'leads to evil.example',
  ],
  ['its real host when the text shows another bare host', 'https://evil.example', 'bank.com', 'leads to evil.example'],
  ['the host behind a user name', 'https://bank.com@evil.example/', 'https://bank.com@evil.example/', 'evil.example'],
  ['the host behind a password', 'https://bank.com:443@evil.example', 'Sign in', 'evil.example'],
  ['look-alike letters in ASCII', 'https://аpple.com', 'https://аpple.com', 'leads to xn--pple-43d.com'],
  ['a host in full-width letters', 'https://ｅｖｉｌ.example', 'here', 'evil.example'],
  ['a number as an IP address', 'http://2130706433/', 'home', '127.0.0.1'],
  ['a backslash as a browser reads it', 'https://evil.example\\@bank.com/', 'bank', 'evil.example'],
  [
    'a host that only begins like its text',
    'https://bank.com.evil.example/',
    'bank.com',
    'leads to bank.com.evil.example',
  ],
  ['the size of its query', `https://evil.example/?q=${journal}`, 'more', 'evil.example, sends 52 characters'],
  ['the size of its fragment', `https://evil.example/#${journal}`, 'more', 'evil.example, sends 50 characters'],
  ['the size of its path', `https://evil.example/${'a'.repeat(90)}`, 'more', 'evil.example, sends 91 characters'],
  [
    'the decoded length of its query',
    `https://evil.example/?${'%C3%A9'.repeat(50)}`,
    'x',
    'evil.example, sends 50 characters',
  ],
  [
    'the size of a query that is also its text',
    `https://evil.example/?q=${journal}`,
    `https://evil.example/?q=${journal}`,
    'evil.example, sends 52 characters',
  ],
  ['an invalid encoding', `https://evil.example/?${'%zz'.repeat(20)}`, 'x', 'evil.example, sends 60 characters'],
  ['an email address', 'mailto:ada@evil.example', 'Ada', 'ada@evil.example'],
  [
    'an email address and the size of its prefilled body',
    'mailto:a@evil.example?body=Hello',
    'a@evil.example',
    'a@evil.example, sends 10 characters',
  ],
  ['look-alike letters of an email address in ASCII', 'mailto:a@аpple.com', 'a@аpple.com', 'a@xn--pple-43d.com'],
])('a link shows %s', (_, href, text, target) => expect(describeLinkTarget(href, text)).toBe(target))

test.each([
  ['https://ok.example', 'https://ok.example'],
  ['https://ok.example/', 'ok.example'],
  ['https://ok.example/guide?page=2', 'https://ok.example/guide?page=2'],
  ['http://www.ok.example', 'www.ok.example'],
  ['https://ok.example/guide', 'ok.example'],
  ['mailto:ada@ok.example', 'ada@ok.example'],
])('a link to %s with the text %s shows no target', (href, text) =>
  expect(describeLinkTarget(href, text)).toBeUndefined(),
)

test.each(['https://', 'https://[', 'http://a b'])('%s cannot be opened', (href) =>
  expect(describeLinkTarget(href, 'x')).toBeNull(),
)
