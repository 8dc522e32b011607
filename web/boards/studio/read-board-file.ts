import { type BoardFile, boardFileFormat } from '#contract/boards/board-files.ts'

/** Checks only the format; the server validates the rest. @throws Error if it isn't a board */
export async function readBoardFile(file: Pick<File, 'name' | 'size' | 'text'>): Promise<BoardFile> {
  if (file.size === 0) throw new Error(`${file.name} is empty. Choose a board exported from Keeper.`)
  const parsedFile = parseObject(await file.text())
  if (!parsedFile || parsedFile.format !== boardFileFormat) throw new Error('This isn’t a board exported from Keeper.')
  return parsedFile as BoardFile
}

function parseObject(text: string): Partial<BoardFile> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
