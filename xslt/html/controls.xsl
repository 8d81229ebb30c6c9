<?xml version="1.0" encoding="UTF-8"?>
<!-- Display settings: radio buttons that work by CSS alone; the script stores them in the address. -->
<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema"
    xmlns:m="urn:jiaokan:modes" xmlns:mp="urn:jiaokan:private" xmlns:f="urn:jiaokan:functions"
    xmlns:fp="urn:jiaokan:private" xmlns:v="urn:jiaokan:variables" xmlns:e="urn:jiaokan:errors"
    xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:p="urn:jiaokan:prepared" xpath-default-namespace="urn:jiaokan:prepared" exclude-result-prefixes="#all">

  <!-- Whether graphs of the text can be shown in the other script and looked up: it is, or may be, Chinese. -->
  <xsl:variable name="fp:graphs" as="xs:boolean" select="empty(/*/@script) and not(matches(/*/@xml:lang, '^(ja|ojp|ko|okm|vi)'))"/>

  <!-- Context: the chapter. -->
  <xsl:template name="m:controls" as="element()">
    <details class="controls">
      <summary><xsl:value-of select="f:word('view')"/></summary>
      <form id="view" autocomplete="off" data-close="{f:word('close')}" data-copy="{f:word('copy')}" data-copied="{f:word('copied')}"
          data-more="{f:word('more')}" data-less="{f:word('close')}" data-all="{f:word('all-speakers')}" data-none="{f:word('no-speaker')}"
          data-read="{f:word('read-witness')}" data-edited="{f:word('read-edited')}" data-differs="{f:word('differs')}" data-lacks="{f:word('lacks-unit')}" data-lacks-here="{f:word('lacks-here')}" data-no-place="{f:word('no-place')}"
          data-copy-bibtex="{f:word('copy-bibtex')}" data-matrix="{f:word('matrix')}" data-cite="{f:word('cite')}"
          data-notes="{f:word('note-text')}" data-text="{f:word('plain-text')}" data-copy-where="{f:word('copy-where')}"
          data-relative="{f:word('relative')}" data-edition="{f:word('edited-text')}" data-entry="{f:word('entry')}"
          data-in="{f:word('seen-in')}" data-all-notes="{f:word('all-by')}"
          data-word="{f:word('words')}" data-guangyun="{f:evidence('rule:guangyun-sound')}" data-search="{f:word('search')}" data-points="{f:word('edition-points')}" data-link="{f:word('link-to')}" data-note="{f:word('own-note')}" data-notes-own="{f:word('own-notes')}"
          data-notes-how="{f:word('own-notes-how')}" data-save="{f:word('save-note')}" data-remove="{f:word('remove-note')}" data-export-notes="{f:word('export-notes')}" data-legend="{f:word('legend-again')}" data-folder="{../@id}">
        <xsl:if test="exists(f:glosses(..))"><xsl:attribute name="data-glosses" select="f:word('glosses')"/></xsl:if>
        <xsl:variable name="comments" as="xs:boolean" select="exists((.//commentary)[1])"/>
        <xsl:variable name="cells" as="xs:boolean" select="empty(../@script)"/>
        <xsl:if test="count(coverage) gt 1 or coverage/@witness = $v:views"><xsl:call-template name="mp:witnesses"/></xsl:if>
        <xsl:if test="count(voice) gt 1"><xsl:call-template name="mp:speakers"/></xsl:if>
        <xsl:if test="$comments">
          <xsl:call-template name="m:choice">
            <xsl:with-param name="name" select="'layer'"/>
            <xsl:with-param name="values" select="'all', 'base'"/>
            <xsl:with-param name="legend" select="'layers'"/>
          </xsl:call-template>
        </xsl:if>
        <xsl:call-template name="m:translations"/>
        <xsl:variable name="counts" as="xs:integer+" select="for $rank in (2, 0, 3) return count(.//apparatus//entry[not(@sums)][xs:integer(@rank) ge $rank])"/>
        <xsl:if test="count(distinct-values($counts)) gt 1 or $counts[2] gt 0 and empty(../@script)">
          <xsl:call-template name="m:choice">
            <xsl:with-param name="name" select="'level'"/>
            <xsl:with-param name="counts" select="$counts"/>
            <xsl:with-param name="values" select="'reading', 'all', 'substantive'"/>
          </xsl:call-template>
        </xsl:if>
        <xsl:call-template name="m:layer-controls"/>
        <!-- How the text is set, whatever it is. -->
        <details class="type">
          <summary><xsl:value-of select="f:word('type')"/></summary>
          <div>
            <xsl:if test="$comments">
              <xsl:call-template name="m:choice">
                <xsl:with-param name="name" select="'place'"/>
                <xsl:with-param name="values" select="'auto', 'below', 'inline'"/>
              </xsl:call-template>
            </xsl:if>
            <xsl:if test="$cells">
              <xsl:call-template name="m:choice">
                <xsl:with-param name="name" select="'direction'"/>
                <xsl:with-param name="values" select="'horizontal', 'vertical'"/>
              </xsl:call-template>
              <xsl:if test="$fp:graphs">
                <xsl:call-template name="m:choice">
                  <xsl:with-param name="name" select="'script'"/>
                  <xsl:with-param name="values" select="'source', 'traditional', 'simplified'"/>
                  <xsl:with-param name="how" select="f:word('script-how')"/>
                </xsl:call-template>
              </xsl:if>
            </xsl:if>
            <xsl:for-each select="'size', 'measure', 'leading'">
              <xsl:call-template name="m:choice">
                <xsl:with-param name="name" select="."/>
                <xsl:with-param name="values" select="'small', 'normal', 'large', 'huge'[current() eq 'size']"/>
                <xsl:with-param name="first" select="2"/>
                <xsl:with-param name="own" select="true()"/>
              </xsl:call-template>
            </xsl:for-each>
            <xsl:call-template name="m:choice">
              <xsl:with-param name="name" select="'theme'"/>
              <xsl:with-param name="values" select="'auto', 'light', 'dark'"/>
            </xsl:call-template>
            <xsl:call-template name="mp:keys"/>
          </div>
        </details>
      </form>
    </details>
  </xsl:template>

  <!-- The keys and their functions. -->
  <xsl:template name="mp:keys" as="element()">
    <dl class="keys" aria-label="{f:word('keys')}">
      <xsl:variable name="cells" as="xs:boolean" select="empty(../@script)"/>
      <xsl:for-each select="'j k=key-unit', 'n p=key-note'[current()//commentary], 'e r=key-entry'[current()//apparatus], 'v V=key-list'[current()//apparatus],
          'q Q=key-quoted'[$v:quoted/*], 'l L=key-leaf'[$v:leaves/*], 'Enter=key-open', 'c=copy-how', 'w=word-how'[$fp:graphs], 's=search', '?=keys'">
        <div><dt><xsl:for-each select="tokenize(substring-before(., '='))"><kbd><xsl:value-of select="."/></kbd></xsl:for-each></dt><dd><xsl:value-of select="f:word(substring-after(., '='))"/></dd></div>
      </xsl:for-each>
    </dl>
  </xsl:template>

  <xsl:template name="mp:speakers" as="element()">
    <fieldset class="speakers">
      <legend><xsl:value-of select="f:word('speakers')"/></legend>
      <xsl:for-each select="voice">
        <label title="{@dynasty} {@name}"><input type="checkbox" name="speaker" value="{@speaker}" checked="checked"/><span translate="no"><xsl:value-of
          select="@label"/><span class="latin" data-name="{@name}"/><small><xsl:value-of select="@notes"/></small></span></label>
      </xsl:for-each>
    </fieldset>
  </xsl:template>

  <!-- The choice of witnesses: none is the edited text, one is that witness, up to four are shown side by side. -->
  <xsl:template name="mp:witnesses" as="element()">
    <fieldset class="which" data-most="4">
      <legend><xsl:value-of select="f:word('read-witness')"/></legend>
      <xsl:variable name="titles" as="map(xs:string, xs:string)" select="f:titles(../meta)"/>
      <xsl:for-each select="coverage">
        <label title="{$titles(string(@witness))}">
          <input type="checkbox" name="w" value="{@witness}">
            <xsl:if test="@witness = $v:views"><xsl:attribute name="data-view" select="'view-' || ../@page || '-' || @witness || '.js'"/></xsl:if>
          </input><span><xsl:value-of select="@siglum"/></span>
        </label>
      </xsl:for-each>
      <small><xsl:value-of select="f:word('read-how')"/></small>
    </fieldset>
  </xsl:template>

  <!-- The name of the text that is shown, above it. Context: the chapter. -->
  <xsl:template name="m:texts" as="element()?">
    <xsl:if test="count(coverage) gt 1 or coverage/@witness = $v:views">
      <nav class="texts" aria-label="{f:word('read-witness')}">
        <button type="button" value="" aria-pressed="true"><xsl:value-of select="f:word('edited-text')"/></button>
        <xsl:variable name="titles" as="map(xs:string, xs:string)" select="f:titles(../meta)"/>
        <xsl:for-each select="coverage">
          <button type="button" value="{@witness}" aria-pressed="false" title="{$titles(string(@witness))}"><xsl:value-of select="@siglum"/></button>
        </xsl:for-each>
      </nav>
    </xsl:if>
  </xsl:template>

  <!-- One of several options; the first, or the named one, is preselected. -->
  <xsl:template name="m:choice" as="element()">
    <xsl:param name="name" as="xs:string" required="yes"/>
    <xsl:param name="values" as="xs:string+" required="yes"/>
    <xsl:param name="legend" as="xs:string" select="$name"/>
    <xsl:param name="counts" as="xs:integer*" select="()"/>
    <xsl:param name="how" as="xs:string" select="''"/>
    <xsl:param name="first" as="xs:integer" select="1"/>
    <!-- Whether the setting is personal: stored on the device, not in the address. -->
    <xsl:param name="own" as="xs:boolean" select="false()"/>
    <fieldset>
      <xsl:if test="$own"><xsl:attribute name="class" select="'own'"/></xsl:if>
      <legend><xsl:value-of select="f:word($legend)"/></legend>
      <xsl:for-each select="$values">
        <label>
          <input type="radio" name="{$name}" value="{.}" id="{$name}-{.}">
            <xsl:if test="position() eq $first"><xsl:attribute name="checked" select="'checked'"/></xsl:if>
          </input>
          <xsl:variable name="place" as="xs:integer" select="position()"/>
          <span><xsl:value-of select="f:word($name || '-' || .)"/><xsl:for-each select="$counts[$place]"><small><xsl:value-of select="."/></small></xsl:for-each></span>
        </label>
      </xsl:for-each>
      <xsl:if test="$how"><small class="how"><xsl:value-of select="$how"/></small></xsl:if>
    </fieldset>
  </xsl:template>
</xsl:stylesheet>
