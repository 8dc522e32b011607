import { expect, it } from 'vitest'
import { BadSetting, readSettings } from '#server/settings/settings.ts'
import { findProxy } from './outgoing-proxy.ts'

const proxy = 'http://proxy.example:3128/'
const find = (address: string, environment: Record<string, string>) =>
  findProxy(new URL(address), readSettings(environment).proxy)

it.each([
  [{ HTTPS_PROXY: proxy }, proxy, null],
  [{ HTTP_PROXY: proxy }, proxy, proxy],
  [{ https_proxy: 'proxy.example:3128', HTTPS_PROXY: 'http://other.example' }, proxy, null],
  [{ http_proxy: 'http://other.example', HTTPS_PROXY: proxy }, proxy, 'http://other.example/'],
  [{ ALL_PROXY: proxy }, proxy, proxy],
  [{ ALL_PROXY: 'socks5://127.0.0.1:1080', HTTPS_PROXY: proxy }, proxy, null],
  [{ HTTPS_PROXY: ' ', HTTP_PROXY: '' }, null, null],
])('%j: https through %s, http through %s', (environment, https, http) => {
  expect({
    'https://a.example, environment': find('https://a.example', environment),
    'http://a.example, environment': find('http://a.example', environment),
  }).toEqual({ 'https://a.example, environment': https, 'http://a.example, environment': http })
})

it.each([
  ['http://localhost:11434', ''],
  ['http://127.0.0.9', ''],
  ['http://[::1]:8080', ''],
  ['http://keeper.localhost', ''],
  ['https://a.example', '*'],
  ['https://a.example', 'b.example, A.Example'],
  ['https://sub.a.example', 'a.example'],
  ['https://sub.a.example', '.a.example'],
  ['https://sub.a.example', '*.a.example'],
  ['https://a.example', 'a.example:443'],
  ['http://10.1.2.3:8080', '10.0.0.0/8'],
  ['http://[fd00::7]', 'fd00::/8'],
  ['http://[fd00::7]', 'fd00:0::7'],
])('%s is called directly with NO_PROXY=%s', (address, noProxy) => {
  expect(find(address, { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, no_proxy: noProxy })).toBe(null)
})

it.each([
  ['https://nota.example', 'a.example'],
  ['https://a.example', 'a.example:8443'],
  ['https://a.example.evil.test', '.a.example'],
  ['http://11.1.2.3', '10.0.0.0/8, 10.0.0.0/99, fd00::/8'],
  ['https://ten.example', '10.0.0.0/8'],
])('%s goes through the proxy with NO_PROXY=%s', (address, noProxy) => {
  expect(find(address, { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: noProxy })).toBe(proxy)
})

it.each(['socks5://127.0.0.1:1080', 'ftp://proxy.example', 'http://', 'http://ada:harbour@'])(
  'an invalid HTTPS_PROXY (%s) is refused by name without its value',
  (value) => {
    const read = () => readSettings({ HTTPS_PROXY: value })
    expect(read).toThrow(BadSetting)
    expect(read).toThrow(/^HTTPS_PROXY must be the address of an HTTP proxy(?!.*harbour)/)
  },
)

it('an ALL_PROXY of another kind is reported as ignored', () => {
  expect(readSettings({ all_proxy: 'socks5h://127.0.0.1:1080' }).notes).toEqual([
    expect.stringContaining('ALL_PROXY is ignored'),
  ])
})
