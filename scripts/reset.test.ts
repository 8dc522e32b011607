import { join, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { developmentFolder, isForDevelopment } from './reset.ts'

test('only the development folder and its subfolders are reset without confirmation', () => {
  for (const dataDir of [developmentFolder, join(developmentFolder, 'second')])
    expect(isForDevelopment(dataDir), dataDir).toBe(true)
  for (const dataDir of [join(developmentFolder, '..'), join(developmentFolder, '../keeper'), '/srv/keeper'])
    expect(isForDevelopment(dataDir), dataDir).toBe(false)
})

test('a folder on another Windows drive needs confirmation', () => {
  const development = 'C:\\keeper\\data\\dev'
  expect(isForDevelopment('C:\\keeper\\data\\dev\\second', development, win32)).toBe(true)
  expect(isForDevelopment('D:\\keeper\\data', development, win32)).toBe(false)
})
