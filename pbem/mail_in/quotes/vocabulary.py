"""Words with which mail programs of many languages introduce a quote.

All words are in the form of `fold`: case folded, compatibility forms unified. The lists are data;
`marks` interprets them.
"""

from __future__ import annotations

import unicodedata
from typing import Final


def fold(text: str) -> str:
    """Return the form in which words are compared."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def _folded(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fold(word.strip()) for word in words.split(";") if word.strip()))


WROTE: Final = _folded(
    "wrote; writes; quoting; zitat von; citando; citerar; citerer; cytowanie; pisze; citation de; mensaje citado;"
    "schrieb; schreibt; a écrit; ecrit; escribió; escribio; ha scritto; scrisse;"
    "escreveu; schreef; heeft geschreven; skrev; kirjoitti; napisał; napisała; napisał(a); napisano;"
    "napsal; napsala; napsal(a); napísal; napísal(a); написал; написала; пишет; пише; написав; писал;"
    "ezt írta; írta; a scris; написа; έγραψε; yazdı; yazmış; כתב; כתבה; מאת; كتب; نوشت; 写道; 寫道;"
    "のメール; 書きました; さんは書きました; 님이 작성; 쓴 글; 작성:; 썼습니다; เขียนว่า; เขียน; đã viết; menulis;"
    "parašė; rašė; rakstīja; kirjutas; je napisao; napisao je; napisala je; je napisal; је написао;"
    "va escriure; ha escrit; idatzi du; escribiu; skrifaði; ने लिखा; scríobh; ysgrifennodd; ka shkruar;"
    "লিখেছেন; գրել է; aliandika; geskryf; დაწერა; எழுதியது; రాశారు; ጽፏል; sinulat ni; жазды; бичсэн нь; نے لکھا;"
    "shkroi; missatge de; yazıb"
)
"""Words at or near the end of "On … Bob wrote:"."""

STARTERS: Final = _folded(
    "on; am; le; el; il; em; op; den; dne; dnia; dnia:; w dniu; på; pe; la; в; вт; у; на; στις; tarihinde;"
    "a(z); בתאריך; ב; في; 在; 于; ngày; pada; vào; dana; dne; ti; to; fr; ma; vào lúc; en; no dia; de:"
)
"""First words of an attribution that begins with the date."""

FROM: Final = _folded(
    "from; von; de; da; van; fra; från; od; lähettäjä; от; отправитель; від; ad; feladó; de la; de;"
    "από; gönderen; kimden; מאת; من; 发件人; 寄件者; 寄件人; 差出人; 送信元; 보낸 사람; 보낸사람; จาก;"
    "từ; dari; nuo; no; saatja; remitente; expéditeur; mittente; remetente; afzender; avsändare;"
    "afsender; absender; nadawca; odesílatel; odosielateľ; pošiljatelj; šalje; expeditor; sent by;"
    "kutoka; nork; vum; გამგზავნი; ումից; प्रेषक; از; فرستنده; থেকে; প্রেরক; frá; ó; oddi wrth; nga;"
    "daripada; mula kay; кімнен; émetteur; emetteur"
)
DATE: Final = _folded(
    "date; sent; gesendet; datum; envoyé; enviado; enviado el; enviada em; enviado em; fecha; data;"
    "inviato; verzonden; sendt; dato; skickat; lähetetty; päiväys; wysłano; odesláno; odoslané; дата;"
    "отправлено; надіслано; küldve; dátum; elküldve; trimis; trimis la; ημερομηνία; στάλθηκε;"
    "gönderme tarihi; gönderildi; tarih; נשלח; תאריך; تاريخ الإرسال; التاريخ; 发送时间; 日期;"
    "寄件日期; 傳送時間; 送信日時; 日時; 보낸 날짜; 날짜; ส่ง; วันที่; đã gửi; ngày; dikirim; tanggal;"
    "išsiųsta; nosūtīts; saadetud; poslano; изпратено; послато; sendt den; date d'envoi; quand;"
    "message du; päivä; tarehe; noiz; geschéckt; თარიღი; ամսաթիվ; दिनांक; तारीख; تاریخ; তারিখ;"
    "dagsetning; dyddiad; petsa; tarikh; dáta"
)
TO: Final = _folded(
    "to; an; à; para; a; aan; til; till; vastaanottaja; do; komu; кому; címzett; către; προς; kime;"
    "alıcı; אל; إلى; 收件人; 宛先; 받는 사람; 받는사람; ถึง; đến; kepada; kam; saaja; za; prima; до"
)
COPY: Final = _folded(
    "cc; kopie; copie; cópia; copia; kopi; kopia; копия; másolat; reply-to; antwort an"
)
SUBJECT: Final = _folded(
    "subject; betreff; objet; asunto; oggetto; assunto; onderwerp; emne; ämne; aihe; temat; předmět;"
    "predmet; тема; tárgy; subiect; θέμα; konu; נושא; الموضوع; 主题; 主旨; 件名; 제목; เรื่อง; chủ đề;"
    "subjek; perihal; tema; teema; zadeva; относно; assumpte; gaia; efni; naslov; sujet; ogg; ogg.;"
    "mada; თემა; թեմա; विषय; موضوع; বিষয়; ábhar; pwnc; subjekti; paksa; тақырып"
)

FORWARDED: Final = _folded(
    "forwarded message; weitergeleitete nachricht; message transféré; mensaje reenviado; messaggio inoltrato;"
    "mensagem encaminhada; doorgestuurd bericht; begin forwarded message; anfang der weitergeleiteten nachricht; début du message transféré;"
    "début du message réexpédié; inicio del mensaje reenviado; inizio messaggio inoltrato;"
    "início da mensagem encaminhada; início da mensagem reencaminhada; begin doorgestuurd bericht;"
    "vidarebefordrat brev; videresendt meddelelse; start på videresendt besked;"
    "początek przekazywanej wiadomości; začátek přeposílané zprávy; начало переадресованного сообщения;"
    "пересылаемое сообщение; välitetty viesti alkaa; 以下是转发的邮件; 開始轉寄郵件; 転送されたメッセージ;"
    "전달된 메시지 시작; iletilen ileti başlangıcı; original message; ursprüngliche nachricht;"
    "message d'origine; mensaje original; messaggio originale; mensagem original; oorspronkelijk bericht"
)
"""Lines that introduce the original without dashes around them."""

DEVICES: Final = _folded(
    "sent from; sent via; sent with; sent by my; get outlook for; download outlook; von meinem; von meiner;"
    "gesendet von; gesendet mit; gesendet über; diese nachricht wurde; diese e-mail wurde von; outlook für;"
    "holen sie sich outlook; envoyé de; envoyé depuis; envoyé avec; envoyé à partir; obtenir outlook;"
    "téléchargez outlook; télécharger outlook; enviado desde; enviado do; enviado de; enviado con;"
    "enviado a partir; enviado via; obtener outlook; obter o outlook; inviato da; inviato dal; scarica outlook;"
    "ottieni outlook; verzonden vanaf; verstuurd vanaf; verzonden met; outlook voor; skickat från; hämta outlook;"
    "sendt fra; få outlook; hent outlook; lähetetty; hanki outlook; wysłane z; wysłano z; pobierz program outlook;"
    "odesláno z; získejte outlook; odoslané z; отправлено с; отправлено из; отправлено через; надіслано;"
    "скачать outlook; изпратено от; послато са; poslano iz; poslano sa; poslano z; trimis de pe; trimis din;"
    "küldve az; elküldve; εστάλη από; στάλθηκε από; iphone'umdan gönderildi; outlook'u edinin; נשלח מ; أرسل من;"
    "مرسل من; 发自; 發自; 从我的; 從我的; 获取 outlook; 取得 outlook; iphoneから; androidから; 나의 iphone에서;"
    "iphone에서; android에서; ส่งจาก; đã gửi từ; gửi từ; dikirim dari; išsiųsta iš; nosūtīts no; saadetud minu;"
    "enviat des; nire; senda úr; anfonwyd o"
)
"""The start of a line that a phone adds."""
DEVICE_ENDS: Final = _folded(
    "에서 보냄; から送信; から送信されました; gönderildi; gönderilmiştir; aracılığıyla gönderildi"
)
"""The end of such a line in languages with the verb last."""
