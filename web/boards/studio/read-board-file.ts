import { type BoardFile, boardFileFormat } from '#contract/boards/board-files.ts'

/** @throws Error saying why it is no board; whether it is a whole one the server says */
export async function readBoardFile(file: Pick<File, 'name' | 'size' | 'text'>): Promise<BoardFile> {
  if (file.size === 0) throw new Error(`${file.name} is empty. Choose a board that Keeper exported.`)
  const read = parsed(await file.text())
  if (!read || read.format !== boardFileFormat) throw new Error('This is no board that Keeper exported.')
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
