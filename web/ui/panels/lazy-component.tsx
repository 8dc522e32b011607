import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { RetryButton } from '../controls/button.tsx'

interface LazyCode<Props extends object> {
  load: () => Promise<ComponentType<Props>>
  loading?: Promise<ComponentType<Props>> | undefined
  Loaded?: ComponentType<Props>
}

/**
 * A component whose code loads when it is first rendered; until then, `fallback` is shown. Avoids Suspense, which keeps
 * a fallback for 300 ms. If loading fails, a retry button replaces the fallback.
 * @throws the load error while rendering, if there is no fallback (as for a dialog)
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const code: LazyCode<Props> = { load }
  return (props) => <ComponentFromCode code={code} fallback={fallback} componentProps={props} />
}

interface ComponentFromCodeProps<Props extends object> {
  code: LazyCode<Props>
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

async function loadOnce<Props extends object>(code: LazyCode<Props>): Promise<ComponentType<Props>> {
  code.loading ??= code.load()
  try {
    code.Loaded = await code.loading
    return code.Loaded
  } finally {
    code.loading = undefined
  }
}
