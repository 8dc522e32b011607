/** Rejects with the error when the promise takes longer. */
export async function withDeadline<T>(promise: Promise<T>, ms: number, createError: () => Error): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(createError()), ms)
  try {
    return await Promise.race([promise, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}
