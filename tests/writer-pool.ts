import { EventEmitter, once } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Thread } from '#server/db/worker-channel.ts'
import { getThreadEnvironment } from '#server/threads/job-thread.ts'

const idleThreads: Worker[] = []

/** Like `sqlite-writer.ts`, on a thread that served other databases before: starting one takes most of a test's time. */
export function takeWriter(file: string): Thread {
  const worker =
    idleThreads.pop() ?? new Worker(new URL('./pooled-writer.ts', import.meta.url), { env: getThreadEnvironment() })
  // An idle thread doesn't keep the process alive; the open port of a database does.
  worker.unref()
  return new PooledThread(worker, file)
}

class PooledThread extends EventEmitter implements Thread {
  readonly #port: MessagePort

  constructor(worker: Worker, file: string) {
    super()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const forwardError = (error: unknown) => this.emit('error', error)
    worker.once('error', forwardError)
    port1.on('message', (message) => this.emit('message', message))
    port1.once('close', () => {
      worker.off('error', forwardError)
      if (worker.threadId !== -1) idleThreads.push(worker)
      this.emit('exit')
    })
    worker.postMessage({ file, port: port2 }, [port2])
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message)
  }

  async terminate(): Promise<void> {
    this.#port.close()
    await once(this, 'exit')
  }
}
