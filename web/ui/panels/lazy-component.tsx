import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

interface Code<Props extends object> {
  load: () => Promise<ComponentType<Props>>
  loading?: Promise<ComponentType<Props>> | undefined
  Loaded?: ComponentType<Props>
}

/**
 * A component whose code loads when it is first shown, in place of `fallback`. Without Suspense, which keeps a fallback for
 * 300 ms. @throws in rendering if the code doesn't load; the next time it is shown loads it again
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

function ComponentFromCode<Props extends object>({ code, fallback, componentProps }: ComponentFromCodeProps<Props>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | undefined>(() => code.Loaded)
  useEffect(() => {
    if (Loaded) return
    loadOnce(code).then(
      (component) => setLoaded(() => component),
      (error: unknown) =>
        setLoaded(() => {
          throw error
        }),
    )
  }, [code, Loaded])
  return Loaded ? <Loaded {...componentProps} /> : fallback
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
