import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { readSourceTree, type SourceFile } from '#tests/source-tree.ts'

/** Every call there is: its address, who may make it, what it is called, and where it is handled. */
export function mapOf(entries: AddressBookEntry[], files: SourceFile[]): string[][] {
  const routes = files.filter(({ path }) => /^server\/.*routes\.ts$/.test(path))
  return entries.map(({ area, name, endpoint }) => [
    endpoint.method,
    endpoint.path + conditions(endpoint.when),
    typeof endpoint.access === 'string' ? endpoint.access : endpoint.access.permission,
    `${area}.${name}`,
    placeOf(area, name, routes),
  ])
}

function conditions(when: AddressBookEntry['endpoint']['when']): string {
  const said = (values: Record<string, string> = {}) =>
    Object.entries(values).map(([name, value]) => (value === '*' ? name : `${name}=${value}`))
  const query = said(when?.query).join('&')
  const body = said(when?.body).join(', ')
  return (query && `?${query}`) + (body && ` {${body}}`)
}

function placeOf(area: string, name: string, routes: SourceFile[]): string {
  for (const { path, source } of routes) {
    const lines = source.split('\n')
    const begin = lines.findIndex((line) => line.includes(`serveArea('${area}'`))
    const line = lines.findIndex(
      (text, index) => index > begin && new RegExp(`^\\s+(async )?${name}\\b[:,(]`).test(text),
    )
    if (begin >= 0) return line < 0 ? path : `${path}:${line + 1}`
  }
  return 'nowhere yet'
}

if (import.meta.main) {
  const rows = mapOf(addressBook(), readSourceTree())
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  let area = ''
  for (const row of rows) {
    const own = row[3]?.split('.')[0] ?? ''
    if (own !== area) console.log()
    area = own
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  }
  console.log(`\n${rows.length} calls`)
}
