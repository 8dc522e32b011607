import { describe, expect, it } from 'vitest'
import { previewBoardFile, readBoardFile } from './import-board-dialog.tsx'

const createFile = (text: string, size = text.length) => ({ name: 'harbour.json', size, text: async () => text })

describe('a chosen file', () => {
  it('is a board when its format says so', async () => {
    const file = { format: 'keeper-board', version: 1, manifest: { name: 'Harbour' } }
    expect(await readBoardFile(createFile(JSON.stringify(file)))).toEqual(file)
  })

  it.each([
    ['half a file', '{"format":"keeper-bo'],
    ['another JSON', '{"format":"agent"}'],
    ['null', 'null'],
    ['a number', '7'],
  ])('is refused when it is %s', async (_, text) => {
    await expect(readBoardFile(createFile(text))).rejects.toThrow('This isn’t a board exported from Keeper.')
  })

  it('is named in the error when it is empty', async () => {
    await expect(readBoardFile(createFile(''))).rejects.toThrow('harbour.json is empty.')
  })

  it('is not read when it is too large', async () => {
    const failIfRead = () => {
      throw new Error('it was read')
    }
    const file = {
      name: 'harbour.json',
      size: 300 * 1024 * 1024,
      text: failIfRead,
      slice: failIfRead,
    } as unknown as File
    const { signal } = new AbortController()
    await expect(previewBoardFile(file, () => {}, signal)).rejects.toThrow('larger than the 299 MB')
  })
})
