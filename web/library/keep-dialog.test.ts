import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { LibraryDocument } from './documents.ts'
import { documentPartsQuery } from './keep-dialog.tsx'

const document = { id: 'd', name: 'Notes.txt', format: 'text' } as LibraryDocument

function observeParts(readBytes: () => Promise<Blob>) {
  const queryClient = new QueryClient()
  const observer = new QueryObserver(queryClient, documentPartsQuery({ readBytes }, document))
  return { queryClient, observer, stop: observer.subscribe(() => undefined) }
}

test('the parts of a document are read once', async () => {
  const readBytes = vi.fn(async () => new Blob(['The quay at dawn.']))
  const { queryClient, observer, stop } = observeParts(readBytes)
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.parts).toHaveLength(1))
  await queryClient.invalidateQueries()
  expect(readBytes).toHaveBeenCalledOnce()
  stop()
})

test('an unreadable document has no parts and stays loaded', async () => {
  const readBytes = vi.fn(() => Promise.reject(new Error('Encrypted.')))
  const { queryClient, observer, stop } = observeParts(readBytes)
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual({ parts: [], isTruncated: false }))
  void queryClient.invalidateQueries()
  expect(observer.getCurrentResult().isPending).toBe(false)
  expect(readBytes).toHaveBeenCalledOnce()
  stop()
})
