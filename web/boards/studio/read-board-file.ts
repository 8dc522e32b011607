import { type BoardFile, boardFileFormat } from '#contract/boards/board-files.ts'

/** Checks only the format; the server validates the rest. @throws Error if it isn't a board */
export async function readBoardFile(file: Pick<File, 'name' | 'size' | 'text'>): Promise<BoardFile> {
  if (file.size === 0) throw new Error(`${file.name} is empty. Choose a board exported from Keeper.`)
  const read = parsed(await file.text())
  if (!read || read.format !== boardFileFormat) throw new Error('This isn’t a board exported from Keeper.')
  return read as BoardFile
}

function parsed(text: string): Partial<BoardFile> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
