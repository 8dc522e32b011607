import type { UseMutationResult } from '@tanstack/react-query'
import { getServerMessage } from '#web/api/api.ts'
import { WriteError } from '#web/ui/panels/write-error.tsx'

interface MutationErrorProps<Variables> {
  title: string
  mutation: Pick<UseMutationResult<unknown, unknown, Variables>, 'error' | 'mutate' | 'variables'>
}

/** Renders nothing unless the mutation failed. Try again repeats it with the same input. */
export function MutationError<Variables>({ title, mutation }: MutationErrorProps<Variables>) {
  const { error, mutate, variables } = mutation
  if (error === null) return null
  return (
    <WriteError title={title} serverMessage={getServerMessage(error)} onRetry={() => mutate(variables as Variables)} />
  )
}
