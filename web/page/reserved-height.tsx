import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { readStored, storeByKey } from '#web/offline/stored-by-key.ts'

const heightsKey = 'keeper-heights'

interface ReservedHeightProps {
  name: string
  isLoading: boolean
  /** The usual height of the content, until one is stored. */
  initialClassName?: string
  children?: ReactNode
}

/** While loading, as high as the content last was in this browser; stored for each keeper. */
export function ReservedHeight({ name, isLoading, initialClassName, children }: ReservedHeightProps) {
  const { id = '' } = useParams()
  const key = `${name} ${id}`
  const box = useRef<HTMLDivElement>(null)
  const [minHeight] = useState(() => toHeight(readStored(heightsKey, key)))
  useEffect(() => {
    const content = box.current
    if (isLoading || !content) return
    // A hidden box reports no height.
    if (!content.hasChildNodes()) storeByKey(heightsKey, key, 0)
    // Reports the first height after the layout, which measuring here would force.
    const observer = new ResizeObserver(() => storeByKey(heightsKey, key, content.offsetHeight))
    observer.observe(content)
    return () => observer.disconnect()
  }, [key, isLoading])
  return (
    <div
      ref={box}
      {...(isLoading
        ? { style: { minHeight }, className: minHeight === undefined ? initialClassName : undefined }
        : { className: 'empty:hidden' })}
    >
      {children}
    </div>
  )
}

const toHeight = (value: unknown) => (typeof value === 'number' ? value : undefined)
