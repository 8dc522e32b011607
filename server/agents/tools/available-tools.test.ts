import { expect, it } from 'vitest'
import { isTypedAddress } from './available-tools.ts'

const address = 'https://pages.example/roses?of=June'

it.each([
  address,
  `Read ${address}, please.`,
  `What stands in (${address})?`,
  `“${address}”`,
  `<${address}>\nand then tell me`,
  `https://pages.example/ and ${address}.`,
])('finds the exact address: %s', (typed) => expect(isTypedAddress(address, typed)).toBe(true))

it.each([
  '',
  'Read about roses.',
  'https://pages.example/roses',
  `${address}&said=buttermilk`,
  `${address}x`,
  `https://other.example/?then=${address}`,
  address.toUpperCase(),
  address.replace('?', ' ?'),
])('doesn’t find the address: %s', (typed) => expect(isTypedAddress(address, typed)).toBe(false))
