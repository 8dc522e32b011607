import { expect, test } from 'vitest'
import { cleanPage, toPageDocument } from './clean-page.ts'

test('headings, tables and embedded pictures stay unchanged', () => {
  const page =
    '<h1>Harbour</h1>\n<p align="center">a &amp; b<br><img alt="Dot" src="data:image/png;base64,iVBORw0KGgo="></p><a href="#end">end</a>'
  expect(cleanPage(page)).toEqual<ReturnType<typeof cleanPage>>({ html: page, hasRemovedContent: false })
  expect(cleanPage(`<!doctype html><html><head><title>T</title></head><body>${page}</body></html>`)).toEqual(
    cleanPage(page),
  )
})

test.each([
  ['<script>fetch("//e")</script>', ''],
  ['<SCRIPT\n src=//e></SCRIPT>x', 'x'],
  ['<script>if (a < b) "</p>"', ''],
  ['<style>body{background:url(//e)}</style>x', 'x'],
  ['<img src="//e/x.png" onerror="alert(1)">', '<img>'],
  ['<img src=x onerror=alert(1)>', '<img>'],
  ['<img src="data:image/svg+xml;base64,AAAA">', '<img>'],
  ['<p style="color:red">x</p>', '<p>x</p>'],
  ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href="https://example.com">x</a>', '<a>x</a>'],
  ['<iframe src="//e"></iframe>x', 'x'],
  ['<svg><a xlink:href="javascript:x">y</a></svg>x', 'x'],
  ['<form action="//e"><input name=a><button>b</button></form>', 'b'],
  ['<meta http-equiv="refresh" content="0;url=//e">x', 'x'],
  ['<link rel=stylesheet href=//e><base href=//e>x', 'x'],
  ['<object data=//e><embed src=//e></object>x', 'x'],
  ['<p title="a>b" onclick=x>x</p>', '<p title="a>b">x</p>'],
  ['<div id="a&quot; onclick=x">x</div>', '<div id="a&quot; onclick=x">x</div>'],
  ['a < b', 'a &lt; b'],
  ['<p unclosed', ''],
  ['<!-- <script>x</script> -->y', 'y'],
  ["<p title='\"onclick=x'>x</p>", '<p title="&quot;onclick=x">x</p>'],
])('everything active is removed from %s', (page, clean) => {
  expect(cleanPage(page).html).toBe(clean)
})

test('removed content is reported', () => {
  expect(cleanPage('<p onclick="x">x</p>').hasRemovedContent).toBe(true)
  expect(cleanPage('<script></script>').hasRemovedContent).toBe(true)
  expect(cleanPage('<p class="lead">x</p>').hasRemovedContent).toBe(false)
})

test('cleaning is idempotent', () => {
  for (const page of ['<<script>x</script>', '<p <b>x', '<scr<script>ipt>x</script>', '<a href="#x" href="//e">']) {
    const once = cleanPage(page).html
    expect(cleanPage(once).html).toBe(once)
    expect(once).not.toMatch(/<script/i)
  }
})

test('a page follows the color mode', () => {
  expect(toPageDocument('<p>x</p>', 'dark')).toContain('<meta name="color-scheme" content="dark">')
})
