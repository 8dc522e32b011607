import { expect, it } from 'vitest'
import { DatabaseError } from '#server/db/database-errors.ts'
import { explainStartupError } from './startup-errors.ts'

const systemError = (code: string, details: object = {}) =>
  Object.assign(new Error(`${code}: failed`), { code, ...details })

it.each(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EIO', 'EISDIR', 'ENOTDIR', 'EDQUOT', 'ERR_FS_EISDIR'])(
  '%s of a file is one line with its path',
  (code) => {
    const line = explainStartupError(systemError(code, { path: '/srv/keeper/data/master.key' }))
    expect(line).toMatch(/^\/srv\/keeper\/data\/master\.key can’t be used: .+ \(E[A-Z]+\)\.$/)
  },
)

it('a failure of the database is one line, also as a cause', () => {
  const refused = Object.assign(new Error('permission denied\nfor schema public'), { code: '42501', severity: 'ERROR' })
  expect(explainStartupError(refused)).toBe(
    'the database refuses: permission denied for schema public (SQLSTATE 42501).',
  )
  expect(
    explainStartupError(new Error('Migration 0001 failed and was undone: permission denied', { cause: refused })),
  ).toBe('Migration 0001 failed and was undone: permission denied.')
  expect(explainStartupError(new DatabaseError('The database file is damaged'))).toBe('The database file is damaged.')
})

it.each([
  [systemError('EADDRINUSE', { port: 80 }), /^port 80 is in use/],
  [systemError('EACCES', { port: 80 }), /can’t use port 80/],
  [systemError('EADDRNOTAVAIL', { port: 80 }), /^HOST isn’t an address/],
  [systemError('ENOTFOUND', { hostname: 'nosuch.invalid' }), /^HOST isn’t an address/],
])('%s of a port is one line', (error, line) => {
  expect(explainStartupError(error)).toMatch(line)
})

it('a bug in Keeper keeps its stack', () => {
  expect(explainStartupError(new TypeError('undefined is not a function'))).toBeUndefined()
  expect(explainStartupError('text')).toBeUndefined()
})
