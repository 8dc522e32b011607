import { expect, test } from 'vitest'
import {
  findFileHeavyPages,
  findGrown,
  findPagesImportingOtherEntries,
  type Manifest,
  weigh,
  weighSite,
} from './weigh-web.ts'

const manifest: Manifest = {
  'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_shared'] },
  'login.html': { file: 'assets/login.js', isEntry: true, imports: ['_shared'] },
  'shell/app-shell.tsx': { file: 'assets/shell.js', isDynamicEntry: true, imports: ['_shared'] },
  _shared: { file: 'assets/shared.js', imports: ['_circle'] },
  _circle: { file: 'assets/circle.js', imports: ['_shared'] },
  'agents/manage-agents-page.tsx': { file: 'assets/agents.js', isDynamicEntry: true, imports: ['_shared', '_form'] },
  'boards/board-page.tsx': { file: 'assets/board.js', isDynamicEntry: true, imports: ['_form'] },
  _form: { file: 'assets/form.js' },
  'app.css': { file: 'assets/app.css' },
}
const sizes: Record<string, number> = {
  'assets/index.js': 10_000,
  'assets/shell.js': 20_000,
  'assets/login.js': 5_000,
  'assets/shared.js': 80_000,
  'assets/circle.js': 1_000,
  'assets/agents.js': 50_000,
  'assets/board.js': 100_000,
  'assets/form.js': 12_000,
}

test('HTML entries count all their chunks, lazy pages only those the shell lacks', () => {
  expect(weigh(manifest, (file) => sizes[file] ?? 0)).toEqual([
    { label: 'login.html', kilobytes: 86, limit: 95 },
    { label: 'the app’s shell', kilobytes: 111, limit: 190 },
    { label: 'agents/manage-agents-page.tsx, over the shell', kilobytes: 62, limit: 60 },
    { label: 'boards/board-page.tsx, over the shell', kilobytes: 112, limit: 130 },
  ])
})

test('the custom host page is weighed with and without its chat', () => {
  const site: Manifest = {
    'site.html': { file: 'assets/site.js', isEntry: true, imports: ['_react'] },
    'site/site-chat-page.tsx': { file: 'assets/chat.js', isDynamicEntry: true, imports: ['_react'] },
    'site/site-failure.tsx': { file: 'assets/failure.js', isDynamicEntry: true },
    _react: { file: 'assets/react.js' },
  }
  const getSize = (file: string) => (file === 'assets/react.js' ? 80_000 : 10_000)
  expect(weighSite(site, getSize)).toEqual([
    { label: 'site.html', kilobytes: 90, limit: 95 },
    { label: 'site.html with site/site-chat-page.tsx', kilobytes: 100, limit: 160 },
  ])
})

test('a page with more than fifty scripts is reported, a frame is not', () => {
  const createChunkNames = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `_${word}-${index}`)
  const fragmentedManifest: Manifest = {
    'index.html': { file: 'assets/index.js', isEntry: true },
    'shell/app-shell.tsx': { file: 'assets/shell.js', isDynamicEntry: true },
    'boards/board-page.tsx': { file: 'assets/board.js', isDynamicEntry: true, imports: createChunkNames('icon', 47) },
    'agents/agents-page.tsx': { file: 'assets/agents.js', isDynamicEntry: true, imports: createChunkNames('icon', 48) },
    'boards/frames/text.tsx': { file: 'assets/text.js', isDynamicEntry: true, imports: createChunkNames('icon', 48) },
  }
  for (const name of createChunkNames('icon', 48)) fragmentedManifest[name] = { file: `assets/${name}.js` }
  expect(findFileHeavyPages(fragmentedManifest)).toEqual([{ label: 'agents/agents-page.tsx', files: 51 }])
})

test('a page whose lazy part imports the entry of another page is reported', () => {
  const pages: Manifest = {
    'index.html': { file: 'assets/index.js', isEntry: true },
    'login.html': { file: 'assets/login.js', isEntry: true, dynamicImports: ['sign-in.tsx'] },
    'sign-in.tsx': { file: 'assets/sign-in.js', isDynamicEntry: true, imports: ['_shared'] },
    _shared: { file: 'assets/shared.js' },
  }
  expect(findPagesImportingOtherEntries(pages)).toEqual([])
  const merged = { ...pages, _shared: { file: 'assets/shared.js', imports: ['index.html'] } }
  expect(findPagesImportingOtherEntries(merged)).toEqual([{ page: 'login.html', importedEntry: 'index.html' }])
})

test('grown weights are listed by growth, others are not', () => {
  const weight = (label: string, kilobytes: number) => ({ label, kilobytes, limit: 60 })
  const weights = [weight('a page', 50.2), weight('another', 30), weight('the same', 20.2), weight('one more', 58)]
  expect(findGrown(weights, { 'a page': 48, another: 31, 'the same': 20 })).toEqual([
    'new, 58.0 kB: one more',
    '+2.2 to 50.2 kB: a page',
  ])
})
