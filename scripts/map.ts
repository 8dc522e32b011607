import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { isMain } from '#server/start/require-node.ts'
import { readSourceTree, type SourceFile } from '#tests/source-tree.ts'

export function mapCalls(entries: EndpointEntry[], files: SourceFile[]): string[][] {
  const routes = files.filter(({ path }) => /^server\/.*routes\.ts$/.test(path))
  return entries.map(({ area, name, endpoint }) => [
    endpoint.method,
    endpoint.path + formatConditions(endpoint.match),
    typeof endpoint.access === 'string' ? endpoint.access : endpoint.access.permission,
    `${area}.${name}`,
    findHandler(area, name, routes),
  ])
}

function formatConditions(match: EndpointEntry['endpoint']['match']): string {
  const formatValues = (values: Record<string, string> = {}) =>
    Object.entries(values).map(([name, value]) => (value === '*' ? name : `${name}=${value}`))
  const query = formatValues(match?.query).join('&')
  const body = formatValues(match?.body).join(', ')
  return (query && `?${query}`) + (body && ` {${body}}`)
}

function findHandler(area: string, name: string, routes: SourceFile[]): string {
  for (const { path, source } of routes) {
    const lines = source.split('\n')
    const areaLine = lines.findIndex((line) => line.includes(`serveArea('${area}'`))
    const line = lines.findIndex(
      (text, index) => index > areaLine && new RegExp(`^\\s+(async )?${name}\\b[:,(]`).test(text),
    )
    if (areaLine >= 0) return line < 0 ? path : `${path}:${line + 1}`
  }
  return 'not found'
}

export function findCallsOutsideContract(app: string): string[][] {
  return app.split('\n').flatMap((line, index) => {
    const [, method, path] = /^ {2}mainRouter\.(get|post|put|patch|delete)\('(\/[^']+)'/.exec(line) ?? []
    return method && path
      ? [[method.toUpperCase(), path, 'public', 'not in the contract', `server/app.ts:${index + 1}`]]
      : []
  })
}

export function findPages(routes: string): string[][] {
  const files = new Map(
    [...routes.matchAll(/^const (\w+) =\s+(?:[\w.]+ && )?lazyPage\(\(\) =>\s+import\('\.\/([^']+)'\)/gm)].map(
      (match) => [match[1], match[2]],
    ),
  )
  const routeMatches = routes.matchAll(/<Route path="([^"]+)" element=\{<(\w+) (?:to="([^"]+)")?/g)
  return [...routeMatches].map(([, path = '', page, to]) => [
    'PAGE',
    path,
    to ? `→ ${to}` : `web/${files.get(page) ?? 'not found'}`,
  ])
}

if (isMain(import.meta)) {
  const filterText = process.argv[2] ?? ''
  const tree = readSourceTree()
  const readSource = (file: string) => tree.find(({ path }) => path === file)?.source ?? ''
  const matchesFilter = (row: string[]) => row.join(' ').includes(filterText)
  const pages = findPages(readSource('web/routes.tsx')).filter(matchesFilter)
  const calls = [...mapCalls(listEndpoints(), tree), ...findCallsOutsideContract(readSource('server/app.ts'))]
  const rows = calls.filter(matchesFilter)
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  let area = ''
  for (const row of rows) {
    const rowArea = row[3]?.split('.')[0] ?? ''
    if (rowArea !== area) console.log()
    area = rowArea
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  }
  const pathWidth = Math.max(...pages.map((row) => row[1]?.length ?? 0))
  if (pages.length > 0) console.log()
  for (const [kind, path = '', file] of pages) console.log(`${kind}    ${path.padEnd(pathWidth)}  ${file}`)
  console.log(`\n${rows.length} calls, ${pages.length} pages`)
}
