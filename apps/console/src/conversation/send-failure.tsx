import { RpcFailure } from '../api/rpc-failure.js';
import { onOneLine } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';
import { Notice } from '../ui/notice.js';

/** Why a message was not sent, with the channel's own words if it gave any. */
export function SendFailure({ failure }: { failure: unknown }) {
  const { t, tf } = useMessages();
  const detail =
    failure instanceof RpcFailure && failure.reason === 'channel_rejected' ? failure.data['detail'] : undefined;
  return (
    <Notice kind="failure" isNews>
      <p>{tf(failure)}</p>
      {typeof detail === 'string' ? (
        <p>
          {t('composer.channelSays')} <bdi>{onOneLine(detail)}</bdi>
        </p>
      ) : null}
    </Notice>
  );
}
