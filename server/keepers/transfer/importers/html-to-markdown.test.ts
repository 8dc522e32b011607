import { expect, it } from 'vitest'
import { htmlToMarkdown, noteToMarkdown } from './html-to-markdown.ts'

it.each([
  ['a<br><br><br>b<br>c', 'a\n\nb\nc'],
  ['<div>one</div><div>two <b>bold </b>x</div><div><br></div><div>three</div>', 'one\n\ntwo **bold** x\n\nthree'],
  ['<b>a</b><b>b</b><i> it </i>z', '**ab** *it* z'],
  ['<p>a&nbsp;&nbsp;b</p><p>&nbsp;</p><p>c</p>', 'a b\n\nc'],
  ['<h2>A<br>heading</h2><hr>x', '## A heading\n\n---\n\nx'],
  ['<ul><li>a<ul><li>b</li></ul></li><li><input type="checkbox" checked>c</li></ul>', '- a\n  - b\n- [x] c'],
  ['<ol start="3"><li>x</li><li>y</li></ol>', '3. x\n4. y'],
  ['<blockquote><p>q</p></blockquote>', '> q'],
  ['<pre>  a\n   <b>b</b></pre><code>c</code>', '```\n  a\n   b\n```\n\n`c`'],
  ['<table><tr><th>h</th></tr><tr><td>one<br>two</td></tr></table>', '| h       |\n| ------- |\n| one two |'],
  ['<a href="https://sea.example/">sea</a> <del>gone</del>', '[sea](https://sea.example/) ~~gone~~'],
  ['<span style="font-weight: 700">B</span> <span style="font-style:italic">I</span>', '**B** *I*'],
  ['<style>span.s2 {font-weight: bold}</style><p><span class="s2">B</span><span class="s3">n</span></p>', '**B**n'],
  [
    '<p>1. no list</p><p># no heading</p><p>file_name #tag 3.50</p>',
    '1\\. no list\n\n\\# no heading\n\nfile_name #tag 3.50',
  ],
])('%j becomes %j', (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown)
})

it('an unknown tag loses the tag and keeps the text', () => {
  const html =
    '<custom>c</custom> <mark>m</mark> <u>u</u><details><summary>S</summary>body</details><svg><text>t</text></svg>'
  expect(htmlToMarkdown(html)).toBe('c m u\n\nS\n\nbody\n\nt')
})

it.each([
  '<a href="javascript:alert(1)">x</a>',
  '<script>alert(1)</script>x',
  '<img src="data:image/png;base64,AAAA" onerror="alert(1)">x',
  '<iframe src="https://sea.example/"></iframe>x',
  '<style>p {color: red}</style><template>t</template>x<!-- c -->',
  '<form action="https://sea.example/"><input value="secret">x</form>',
])('%s leaves only its text', (html) => {
  expect(htmlToMarkdown(html)).toBe('x')
})

it('tags that close in another paragraph than they open in keep all text', () => {
  const html = '<p><span><div class="a">one<div></span></p><p>two</p><p><span></div></div></span></p><p>three'
  expect(htmlToMarkdown(html)).toBe('one\n\ntwo\n\nthree')
})

it.each([
  ['nesting', `${'<div>'.repeat(50_000)}deep`],
  ['tags', `${'<b></b>'.repeat(30_000)}deep`],
  ['attributes', `<b ${Array.from({ length: 50_000 }, (_, at) => `a${at}`).join(' ')}>deep`],
  ['text', `${'word '.repeat(500_000)}<b>deep</b>`],
])('too much %s leaves the plain text, in time', (_, html) => {
  const started = process.threadCpuUsage().user
  expect(htmlToMarkdown(html)).toMatch(/deep$/)
  expect(process.threadCpuUsage().user - started).toBeLessThan(3_000_000)
})

it.each([
  ['I <3 you, a < b', 'I <3 you, a < b'],
  ['- a\n- b', '- a\n- b'],
  ['Tom &amp; Jerry &lt;3', 'Tom & Jerry <3'],
  ['<b>x</b>\ny', '**x**\ny'],
  ['<div>x</div>\n<div>y</div>', 'x\n\ny'],
  ['', ''],
])('the note %j becomes %j', (note, markdown) => {
  expect(noteToMarkdown(note)).toBe(markdown)
})
