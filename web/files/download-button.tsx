import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FetchedFile, fetchFile } from '#web/api/api.ts'
import type { AnyEndpoint, InputArguments } from '#web/api/api-types.ts'
import { Button, type ButtonSize } from '#web/ui/controls/button.tsx'
import { saveFile } from './save-file.ts'

interface DownloadButtonProps<E extends AnyEndpoint> {
  endpoint: E
  input: InputArguments<E>[0]
  /** If the server names no file. */
  fallbackName: string
  onStart?: () => void
  onSaved?: (file: FetchedFile) => unknown
  onFailed: (reason: Error) => void
  size?: ButtonSize
  children: ReactNode
}

/** Saves a small file that the server writes, such as a CSV export. */
export function DownloadButton<E extends AnyEndpoint>(props: DownloadButtonProps<E>) {
  const { endpoint, input, fallbackName, onStart, onSaved, onFailed, size, children } = props
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const file = await fetchFile(endpoint, ...([input] as InputArguments<E>))
      saveFile(file.blob, file.name ?? fallbackName)
      await onSaved?.(file)
    },
    onMutate: onStart,
    onError: onFailed,
  })
  return (
    <Button
      size={size}
      busy={isPending}
      busyLabel="Exporting..."
      onClick={() => mutate()}
      icon={<Download aria-hidden size={14} />}
    >
      {children}
    </Button>
  )
}
