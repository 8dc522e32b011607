import { Shapes } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { onThemePainted } from '#web/themes/base/theme-provider.tsx'
import { Button } from '#web/ui/controls/button.tsx'

const minHeightPx = 40
const maxHeightPx = 900
const maxReasonLength = 200
/** Loading the large script and drawing (ms). */
const timeoutMs = 20_000

/** Draws a diagram on demand, in a sandboxed frame without an origin. */
export function Diagram({ code }: { code: string }) {
  const [openedCode, setOpenedCode] = useState<string>()
  // Changed code is a new diagram that wasn't requested yet.
  const isOpen = openedCode === code
  return (
    <div className="font-sans text-ui">
      <Button
        data-chrome
        size="small"
        aria-expanded={isOpen}
        onClick={() => setOpenedCode(isOpen ? undefined : code)}
        icon={<Shapes aria-hidden size={13} />}
        className="mt-1.5"
      >
        {isOpen ? 'Hide diagram' : 'Draw diagram'}
      </Button>
      {isOpen && <DiagramFrame code={code} />}
    </div>
  )
}

type DiagramMessage = { kind: 'ready' } | { kind: 'drawn'; height: number } | { kind: 'failed'; reason: string }

function DiagramFrame({ code }: { code: string }) {
  const frameRef = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState<number>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let isReady = false
    const draw = () => {
      if (isReady) frameRef.current?.contentWindow?.postMessage({ code, ...getPageColors() }, '*')
    }
    const handleMessage = ({ source, data }: MessageEvent<DiagramMessage>) => {
      if (source === null || source !== frameRef.current?.contentWindow) return
      if (data.kind === 'ready') {
        isReady = true
        draw()
      }
      if (data.kind === 'drawn') setHeight(Math.min(Math.max(Number(data.height) || 0, minHeightPx), maxHeightPx))
      if (data.kind === 'failed') setProblem(describeProblem(String(data.reason)))
    }
    addEventListener('message', handleMessage)
    const unsubscribe = onThemePainted(draw)
    return () => {
      removeEventListener('message', handleMessage)
      unsubscribe()
    }
  }, [code])
  const isWaiting = height === undefined && problem === undefined
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setProblem('Rendering took too long.'), timeoutMs)
    return () => clearTimeout(timer)
  }, [isWaiting])
  if (problem !== undefined)
    return (
      <p role="alert" className="mt-2 wrap-anywhere text-muted-foreground">
        The diagram couldn’t be drawn. {problem}
      </p>
    )
  return (
    <>
      {isWaiting && (
        <p role="status" className="mt-2 text-muted-foreground">
          Drawing...
        </p>
      )}
      <iframe
        ref={frameRef}
        title="Diagram"
        src="/diagram.html"
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        style={{ height }}
        className={
          isWaiting ? 'invisible h-0 w-full' : 'mt-2 box-content w-full rounded-md border border-border bg-card'
        }
      />
    </>
  )
}

/** Page colors, passed in because the frame can't read them. */
function getPageColors() {
  const { documentElement } = document
  const style = getComputedStyle(documentElement)
  const getColor = (name: string) => style.getPropertyValue(`--k-${name}`).trim()
  const colors = {
    background: getColor('card'),
    primaryColor: getColor('secondary'),
    primaryTextColor: getColor('foreground'),
    primaryBorderColor: getColor('input'),
    secondaryColor: getColor('muted'),
    tertiaryColor: getColor('paper'),
    lineColor: getColor('muted-foreground'),
    textColor: getColor('foreground'),
    edgeLabelBackground: getColor('card'),
  }
  return { colors, isDark: documentElement.dataset.mode === 'dark' }
}

/** The first line names the error; the others point at its position. */
function describeProblem(reason: string): string {
  const [firstLine = ''] = reason.trim().split('\n')
  const text = firstLine.slice(0, maxReasonLength).replace(/:$/, '')
  return text === '' ? 'The diagram’s code has an error.' : text.replace(/[^.!?]$/, '$&.')
}
