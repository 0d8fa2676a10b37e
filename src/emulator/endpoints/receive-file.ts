// The file of a request that attaches one: the body itself, named by a header, or the first file of a multipart body.

import { fileNameHeader } from '#contract/operation.ts';
import { invalidParameter, parameterRequired } from '../http/error-response.ts';
import { collectContent, multipartType, type ReceivedFile, readMultipart } from '../http/multipart.ts';
import { contentType, hasBody, type ReceivedRequest } from '../http/request.ts';

const because = 'attach-file';

/** Undefined if the request is neither of the two. Throws {@link ErrorResponse}. */
export async function receiveFile(request: ReceivedRequest): Promise<ReceivedFile | undefined> {
  const type = contentType(request);
  const header = namedInHeader(request);
  if (type === multipartType) {
    const { file } = await readMultipart(request);
    if (file === undefined) throw parameterRequired('The multipart body has no file', because);
    const name = file.name || header;
    if (name === undefined) throw parameterRequired('The file has no name', because);
    return { ...file, name };
  }
  if (header === undefined) {
    if (type === 'application/octet-stream' && hasBody(request))
      throw parameterRequired(`The file has no name: send it in ${fileNameHeader}`, because);
    return undefined;
  }
  const content = collectContent();
  await request.readBody(content.add);
  return { name: header, ...(type === '' ? {} : { contentType: type }), ...content.result() };
}

/** Percent-encoded, since a header cannot contain other characters than those of ASCII. */
function namedInHeader({ headers }: ReceivedRequest): string | undefined {
  const header = headers[fileNameHeader.toLowerCase()];
  if (typeof header !== 'string') return undefined;
  let name: string;
  try {
    name = decodeURIComponent(header);
  } catch {
    throw invalidParameter(fileNameHeader, 'it is not valid percent-encoding', 'attach-file');
  }
  if (name === '') throw invalidParameter(fileNameHeader, 'it is empty', 'attach-file');
  return name;
}
