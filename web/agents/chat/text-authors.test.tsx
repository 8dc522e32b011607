import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import FrontMatterTable, { readRows } from './front-matter-table.tsx'
import { splitFrontMatter } from './markdown-blocks.ts'
import MarkdownText from './markdown-text.tsx'
import type { TextAuthor } from './text-author.ts'

const draw = (author: TextAuthor, ...texts: string[]) =>
  renderToStaticMarkup(
    <MemoryRouter>
      {texts.map((text) => (
        <MarkdownText key={text} text={text} author={author} streaming={false} />
      ))}
    </MemoryRouter>,
  )
const withoutTags = (html: string) => html.replaceAll(/<[^>]*>/g, '')
/** Tags without attributes. */
const plainTags = (html: string) => html.replaceAll(/<(\/?\w+)[^>]*?(\/?)>/g, '<$1$2>').replaceAll('\n', '')
const show = (author: TextAuthor, text: string) =>
  plainTags(draw(author, text))
    .replace(/^<div>/, '')
    .replace(/<\/div>$/, '')

const people = ['reader', 'person'] as const
const htmlAuthors = ['reader', 'person', 'document'] as const

test.each(people)('lines of a %s stay lines, whatever ends them', (author) => {
  for (const end of ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])
    expect(show(author, `Milk${end}Bread${end}Eggs`), JSON.stringify(end)).toBe('<p>Milk<br/>Bread<br/>Eggs</p>')
  expect(show(author, '> Milk\n> Bread')).toBe('<blockquote><p>Milk<br/>Bread</p></blockquote>')
  expect(show(author, '1. Milk\n   and cream')).toContain('<li>Milk<br/>and cream</li>')
})

test.each(people)("indented lines of a %s aren't code, but fenced ones are", (author) => {
  expect(show(author, 'Tyger Tyger,\n\n    burning bright\n\tin the night')).toBe(
    '<p>Tyger Tyger,</p><p>burning bright<br/>in the night</p>',
  )
  expect(show(author, '```\nx = 1\n```')).toContain('<pre><code>x = 1</code></pre>')
  expect(show('document', 'A\n\n    b')).toContain('<pre><code>b')
  expect(show('agent', 'A\n\n    b')).toContain('<pre><code>b')
})

test.each(people)('text of a %s in the form of a definition is shown', (author) => {
  expect(show(author, '[Anna]: hello\n[Ben]: hi')).toBe('<p>[Anna]: hello<br/>[Ben]: hi</p>')
  expect(show(author, '[Anna]: hello\nand so on\n\n[Ben]: hi')).toBe(
    '<p>[Anna]: hello<br/>and so on</p><p>[Ben]: hi</p>',
  )
  expect(show(author, 'With [Anna] today.\n\n[Anna]: hello')).toBe('<p>With [Anna] today.</p><p>[Anna]: hello</p>')
  expect(show(author, 'A claim.\n\n[^1]: the source')).toBe('<p>A claim.</p><p>[^1]: the source</p>')
  expect(draw(author, 'See [it][1].\n\n[1]: https://ok.example')).toContain('<a href="https://ok.example"')
  expect(show(author, 'Seen.\n\n[//]: # (a note to myself)')).toBe('<p>Seen.</p>')
})

test.each(people)('a link to an entry opens in the app in text of a %s', (author) => {
  const link = draw(author, 'As [I wrote then](/keeper/k1/moments?moment=m-1).')
  expect(link).toMatch(/<a [^>]*href="\/keeper\/k1\/moments\?moment=m-1"[^>]*>I wrote then<\/a>\./)
  expect(link).not.toContain('target=')
})

test.each([
  ['agent', '/keeper/k1/moments?moment=m1'],
  ['document', '/keeper/k1/moments?moment=m1'],
  ['reader', '/api/auth/logout'],
  ['reader', '/keeper/../settings'],
  ['reader', '//evil.example/keeper/k1/moments'],
  ['reader', '/keeper/k1/moments?moment=m1#token=x'],
  ['reader', 'moments?moment=m1'],
  ['person', '\\keeper\\k1\\moments'],
] as const)('text of a %s has no link to %s', (author, address) => {
  expect(show(author, `[x](${address})`)).toBe('<p><span>x</span></p>')
})

test('footnotes lead there and back within their own text', () => {
  const html = draw('reader', 'First.[^1]\n\n[^1]: First source.', 'Second.[^1] Again.[^1]\n\n[^1]: Second source.')
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const links = [...html.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id)
  expect(links).toHaveLength(6)
  for (const id of links) expect(ids).toContain(id)
  const [first = '', second = ''] = html.split(/(?=<div dir="auto" class="flex min-w-0 flex-col gap-3"><p[^>]*>Second)/)
  for (const part of [first, second])
    for (const [, id] of part.matchAll(/ href="#([^"]*)"/g)) expect(part).toContain(` id="${id}"`)
  expect(html).toMatch(/<h3 id="[^"]*" class="sr-only">Footnotes<\/h3>/)
  expect(html).not.toContain('user-content')
  expect(first).toMatch(/<li id="[^"]*" tabindex="-1">/)
})

test.each(['agent', 'person', 'document'] as const)('links in a text of %s lead to its headings', (author) => {
  const text = [
    '[To the end](#the-end) [Über](#%C3%BCber-uns) [second](#day-1) [nowhere](#root)',
    '# Day\n\n# Day\n\n## Über uns\n\n## The end',
  ].join('\n\n')
  const html = draw(author, text)
  const headingId = (title: string) => html.match(new RegExp(`<h[34] id="([^"]*)"[^>]*>${title}`))?.[1]
  expect(html).toContain(`<a href="#${headingId('The end')}"`)
  expect(html).toContain(`<a href="#${headingId('Über uns')}"`)
  expect(headingId('The end')).toMatch(/^text-.+-0-\d+$/)
  expect(html).toMatch(
    /<h3 id="([^"]*)"[^>]*>Day<.*<a href="#\1"|<a href="#([^"]*)"[^>]*>second<.*<h3 id="\2"[^>]*>Day</s,
  )
  expect(html).toContain('<span>nowhere</span>')
})

test.each(htmlAuthors)('harmless HTML of a %s has its meaning', (author) => {
  for (const [source, expected] of [
    ['one<br>two', '<p>one<br/>two</p>'],
    ['a <!-- a note to myself --> b', '<p>a  b</p>'],
    ['<!-- a note\n\nto myself -->\n\nb', '<p>b</p>'],
    ['<b>bold</b> <i>so *very*</i>', '<p><strong>bold</strong> <em>so <em>very</em></em></p>'],
    ['<u>u</u> <mark>m</mark> H<sub>2</sub>O', '<p><u>u</u> <mark>m</mark> H<sub>2</sub>O</p>'],
    ['x<sup>2</sup> <kbd>Ctrl</kbd> <del>d</del>', '<p>x<sup>2</sup> <kbd>Ctrl</kbd> <del>d</del></p>'],
    ['<h2 align="center">A &amp; B</h2>', '<h3>A &amp; B</h3>'],
    ['<div align="center">\n\n**b**\n\n</div>', '<p><strong>b</strong></p>'],
    ['<p>One</p><p>Two</p>', '<p>One</p><p>Two</p>'],
    ['<img src="https://x.example/y.png" alt="A cat">', '<p><span>[picture: A cat]</span></p>'],
  ] as const)
    expect(show(author, source)).toBe(expected)
  const details = show(author, '<details><summary>More</summary>\n\n- one\n\n</details>\n\nAfter')
  expect(details).toBe('<p><strong>More</strong></p><ul><li>one</li></ul><p>After</p>')
  expect(show(author, '<details>\n<summary>More</summary>\nInside\n</details>')).toBe(
    '<p><strong>More</strong></p><p>Inside</p>',
  )
  expect(draw(author, '<a href="https://ok.example/x">site</a>')).toContain('<a href="https://ok.example/x" target')
  expect(draw(author, '<a name="top"></a>\n\n[up](#top)')).toMatch(/<span id="([^"]*)".*<a href="#\1"/s)
})

test.each(htmlAuthors)('HTML that a %s writes about stays text', (author) => {
  for (const text of [
    'Use the <b> tag, or <details>.',
    'A <script>x</script> and <Foo>',
    '<table><tr><td>x</td></tr></table>',
    '<b>never closed',
    'closed never</b>',
    '<!-- never closed',
    'I <3 you > me',
  ])
    expect(withoutTags(draw(author, text)), text).toBe(text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
})

test('comments and formatting tags in answers stay text', () => {
  expect(withoutTags(draw('agent', 'a <!-- b --> <b>c</b>'))).toBe('a &lt;!-- b --&gt; &lt;b&gt;c&lt;/b&gt;')
})

test('links never nest', () => {
  const texts = [
    '[a <a href="https://x.example">b</a>](https://y.example)',
    '<a href="https://x.example">[b](https://y.example)</a>',
    '<a href="https://x.example">a<a href="https://y.example">b</a></a>',
  ]
  for (const text of texts) expect(draw('document', text)).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<a /)
})

test.each(['reader', 'document'] as const)('lists, tables and quotes of a %s keep their form', (author) => {
  expect(show(author, '- [ ] a\n- [x] b\n  - c\n    1. d')).toMatch(
    /^<ul><li><input\/> a<\/li><li><input\/> b<ul><li>c<ol><li>d/,
  )
  expect(draw(author, '7. seven\n8. eight')).toMatch(/<ol start="7" dir="auto"/)
  expect(draw(author, '1986. A great winter')).toMatch(/<ol start="1986" style="padding-inline-start:5.5ch"/)
  expect(show(author, '- a\n\n  | x | y |\n  |---|---|\n  | 1 | 2 |')).toMatch(/<li>.*<table>.*<td>1<\/td>/)
  expect(show(author, '> a\n>\n> > b')).toBe('<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>')
  expect(draw(author, '- שלום\n- עולם')).toContain('<ul dir="auto"')
})

const frontMatter = '---\ntitle: A day by the sea\ndate: 2026-05-03\ntags: [sea, walk]\n---\n\n# The day\n'

test('front matter is a table, and only at the start of a document', () => {
  const [source, body] = splitFrontMatter(frontMatter)
  expect(body).toBe('\n# The day\n')
  expect(readRows(source)).toEqual([
    ['title', 'A day by the sea'],
    ['date', '2026-05-03'],
    ['tags', 'sea, walk'],
  ])
  expect(plainTags(renderToStaticMarkup(<FrontMatterTable source={source} />))).toContain(
    '<tr><th><bdi>title</bdi></th><td>A day by the sea</td></tr>',
  )
  expect(show('document', frontMatter)).toBe('<h3>The day</h3>')
  expect(splitFrontMatter(`\uFEFF${frontMatter.replaceAll('\n', '\r\n')}`)[1]).toBe('\r\n# The day\r\n')
})

test.each([
  '---\n\nA text after a rule\n\n---\n',
  '---\nNote to self: this is never closed\n',
  'Hello\n---\ntitle: x\n---\n',
  '----\ntitle: x\n----\n',
  '',
])('%j has no front matter', (text) => {
  expect(splitFrontMatter(text)).toEqual(['', text])
})

test('front matter that is not YAML is shown unchanged', () => {
  for (const source of ['title: a: b: [\n', '- a\n- b\n']) expect(readRows(source), source).toBeUndefined()
  expect(readRows('a:\n  b: 1\nc: |\n  one\n  two\nd:\n')).toEqual([
    ['a', 'b: 1'],
    ['c', 'one\ntwo'],
    ['d', ''],
  ])
})

test.each([
  ['Setup & Config!', 'setup--config'],
  ['Setup & Config!', 'setup-config'],
  ['Hi, @dohliam!', 'hi,-@dohliam!'],
  ['Unnamed: 41', 'unnamed:-41'],
  ['Ünïcödé Héading', 'unicode-heading'],
  ['🟠Landingpage 🖥️', 'landingpage-'],
  ['１・２', '１２'],
  ['<a name="myAnchor"></a>Anchor Header', 'myAnchor'],
  ['新年快乐', encodeURIComponent('新年快乐')],
])('the heading "%s" is found at #%s', (title, name) => {
  const html = draw('document', `[there](#${name})\n\n# Another\n\n# ${title}`)
  const target = html.match(/<a href="#([^"]*)"/)?.[1]
  expect(target).toBeTruthy()
  expect(html.slice(html.indexOf('Another'))).toContain(`id="${target}"`)
})

test('a link without a label shows its address', () => {
  expect(show('reader', '[](https://ok.example/a)')).toBe('<p><a>https://ok.example/a</a></p>')
  expect(show('reader', '[![a cat](x.png)](https://ok.example/a)')).toContain('[picture: a cat]')
})

test('a rule below typed lines never turns them into a heading', () => {
  expect(show('reader', 'Top\n--- \n**Bolded** words\n---\n**more** text')).toBe(
    '<p>Top</p><hr/><p><strong>Bolded</strong> words</p><hr/><p><strong>more</strong> text</p>',
  )
  expect(show('reader', '# Users\nList: Get-LocalUser\n---')).toBe('<h3>Users</h3><p>List: Get-LocalUser</p><hr/>')
  expect(show('reader', 'a\n***\nb\n___\nc')).toBe('<p>a</p><hr/><p>b</p><hr/><p>c</p>')
})

test('the same text twice on a page has its own ids', () => {
  const text = '# Day\n\nA claim.[^1]\n\n[^1]: A source.'
  const html = renderToStaticMarkup(
    <>
      <MarkdownText text={text} author="reader" streaming={false} />
      <MarkdownText text={text} author="reader" streaming={false} />
    </>,
  )
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  ["id: 21356\nstatus: scheduled\npublished_at: '2026-03-12\n", undefined],
  ['\nlayout: post\ntitle: Blogging Like a Hacker\n\n', { layout: 'post', title: 'Blogging Like a Hacker' }],
  ['key: x\nebook:\n    - https://a.example/?_e=UTF8&b=1\n', { key: 'x', ebook: 'https://a.example/?_e=UTF8&b=1' }],
  ['date: 2018-03-01 00:43:40\nok: yes\nn: 007\n', { date: '2018-03-01 00:43:40', ok: 'yes', n: '007' }],
])('front matter %j is taken off the text', (source, rows) => {
  const [frontMatter, body] = splitFrontMatter(`---\n${source}---\n\n# Bla\n`)
  expect(frontMatter).toBe(source)
  expect(show('document', body)).toBe('<h3>Bla</h3>')
  expect(readRows(frontMatter)).toEqual(rows && Object.entries(rows))
})
