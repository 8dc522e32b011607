import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { RetryButton } from '../controls/button.tsx'

interface Code<Props extends object> {
  load: () => Promise<ComponentType<Props>>
  loading?: Promise<ComponentType<Props>> | undefined
  Loaded?: ComponentType<Props>
}

/**
 * A component whose code loads when it is first shown, in place of `fallback`. Without Suspense, which keeps a fallback for
 * 300 ms. Where it has a fallback, code that doesn't load is retried in its place, because people may be writing beside it.
 * @throws in rendering where it has none, such as a dialog
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const code: Code<Props> = { load }
  return (props) => <ComponentFromCode code={code} fallback={fallback} componentProps={props} />
}

interface ComponentFromCodeProps<Props extends object> {
  code: Code<Props>
  fallback: ReactNode
  componentProps: Props
}

const retryDelayMs = 5000

function ComponentFromCode<Props extends object>({ code, fallback, componentProps }: ComponentFromCodeProps<Props>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | undefined>(() => code.Loaded)
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((previous) => previous + 1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
  useEffect(() => {
    if (Loaded) return
    let timer: ReturnType<typeof setTimeout>
    loadOnce(code).then(
      (component) => setLoaded(() => component),
      (reason: unknown) => {
        setError(reason)
        timer = setTimeout(retry, retryDelayMs)
      },
    )
    return () => clearTimeout(timer)
  }, [code, Loaded, attempt])
  if (Loaded) return <Loaded {...componentProps} />
  if (error === undefined) return fallback
  if (fallback === null) throw error
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 text-ui">
      This part couldn’t be loaded.
      <RetryButton onClick={retry} />
    </p>
  )
}

async function loadOnce<Props extends object>(code: Code<Props>): Promise<ComponentType<Props>> {
  code.loading ??= code.load()
  try {
    code.Loaded = await code.loading
    return code.Loaded
  } finally {
    code.loading = undefined
  }
}
