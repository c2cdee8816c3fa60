import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { notice, readFailure, tryAgain, undo } from './service.ts'

/** How many windows are open: the last one shows the notices, because what is behind it is inert. */
export const openDialogs = signal(0)

/** What the command menu searches for; undefined while it is closed. */
export const menuText = signal<string | undefined>(undefined)
/** Whether the list of shortcuts is shown. */
export const isSheetOpen = signal(false)

/** What the page says to everyone. */
export const Notice = ({ isPage = false }) => {
  const said = notice.value
  useEffect(() => {
    if (said === undefined || said.isBad) return
    const timer = setTimeout(() => {
      notice.value = undefined
    }, 10_000)
    return () => clearTimeout(timer)
  }, [said])
  if (isPage && openDialogs.value > 0) return null
  return (
    <div class="notices" role="status" aria-live="polite">
      {readFailure.value !== undefined && (
        <p class="alert">
          {readFailure.value}{' '}
          <button type="button" onClick={tryAgain}>
            Try again
          </button>
        </p>
      )}
      {said !== undefined && (
        <p class={said.isBad ? 'alert' : 'notice'}>
          {said.text}{' '}
          {said.details !== undefined && (
            <details>
              <summary>Details</summary>
              {said.details}
            </details>
          )}
          {said.undo !== undefined && (
            <button type="button" onClick={undo}>
              Undo
            </button>
          )}
          <button
            type="button"
            class="plain"
            onClick={() => {
              notice.value = undefined
            }}
          >
            Close
          </button>
        </p>
      )}
    </div>
  )
}

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A window over the page, which Escape closes. The focus goes back to what opened it. */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the next key, which is for the window.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    openDialogs.value += 1
    // It is about what was done before.
    notice.value = undefined
    return () => {
      element?.close()
      openDialogs.value -= 1
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        // A file input inside has an event of this name too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        // The event comes later: the window may be gone, and open again.
        if (currentTarget.isConnected) onClose()
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="plain" onClick={onClose}>
          Close
        </button>
      </header>
      <Notice />
      {children}
    </dialog>
  )
}
