import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from '../text/copy-text.ts'
import { Button, type ButtonProps } from './button.tsx'
import { IconButton } from './icon-button.tsx'

export interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'busy' | 'busyLabel'> {
  text: string | (() => string | Promise<string>)
  label?: string
  copiedLabel?: string
  durationMs?: number
  onCopyFailed?: (reason: unknown) => void
}

export function CopyButton({
  text,
  label = 'Copy',
  copiedLabel = 'Copied',
  durationMs = 2000,
  onCopyFailed,
  children,
  icon,
  size = 'small',
  ...rest
}: CopyButtonProps) {
  const [status, setStatus] = useState('')
  useEffect(() => {
    if (!status) return
    const timer = setTimeout(() => setStatus(''), durationMs)
    return () => clearTimeout(timer)
  }, [status, durationMs])

  async function copy() {
    try {
      await copyText(typeof text === 'function' ? await text() : text)
      setStatus(copiedLabel)
    } catch (reason) {
      if (onCopyFailed) onCopyFailed(reason)
      else setStatus('Failed to copy to clipboard')
    }
  }

  const statusIcon: ReactNode =
    status === copiedLabel ? (
      <Check aria-hidden size={14} className="text-success" />
    ) : icon === undefined ? (
      <Copy aria-hidden size={14} />
    ) : (
      icon
    )
  return (
    <>
      {children === undefined ? (
        <IconButton label={status || label} size="small" onClick={copy} className={rest.className}>
          {statusIcon}
        </IconButton>
      ) : (
        <Button {...rest} size={size} onClick={copy} icon={statusIcon}>
          {status || children}
        </Button>
      )}
      <span role="status" className="sr-only">
        {status}
      </span>
    </>
  )
}
