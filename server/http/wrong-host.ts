import type { Services } from '#server/services.ts'
import { logOncePerSubject } from './log.ts'
import { Problem } from './problem.ts'
import { toProblemResponse } from './problem-response.ts'
import { securityHeaders } from './security-headers.ts'

const remedy = 'set KEEPER_PUBLIC_URL to the address people use, and restart Keeper'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Keeper doesn’t answer at this address</title>
<h1>Keeper doesn’t answer at this address</h1>
<p>Open Keeper at the address you were given.</p>
<p>If you run this server and people should use this address, ${remedy}, for example:</p>
<pre>KEEPER_PUBLIC_URL=https://keeper.example.org</pre>
</html>
`

/** Never repeats the requested host, because a cached answer could send others there. */
export function refuseWrongHost(services: Services, request: Request): Response {
  const { log, settings } = services
  const host = (request.headers.get('host') ?? '').slice(0, 300)
  logOncePerSubject(log, `host ${host}`, () =>
    log.warn(
      { host, KEEPER_PUBLIC_URL: settings.publicUrl },
      `refused a request for a host that isn’t this server’s; if it should be, ${remedy}`,
    ),
  )
  const isPage = request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html')
  if (!isPage)
    return toProblemResponse(
      services,
      request,
      new Problem('wrong-host', {
        message: `This server doesn’t answer for that host name. If you run it and people should use that name, ${remedy}.`,
      }),
    )
  return new Response(page, {
    status: 421,
    headers: { ...securityHeaders, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
